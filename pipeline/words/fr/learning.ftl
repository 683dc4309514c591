command-learned = Ce qui a été appris ici des 👍, et le retirer
option-do = Que faire ; rien : montrer
option-entry = Quelle entrée, ou "all" pour toutes
vote-learned = Merci, c'est noté. Les demandes semblables seront planifiées ainsi ici (voir la commande "learned").
learned-off = Rien n'est appris ici des votes ; c'est désactivé.
learned-nothing = Rien n'a encore été appris ici. Un 👍 sur une réponse enseigne son plan.
learned-heading = { $count ->
    [one] Un plan a plu ; les demandes semblables sont planifiées ainsi ici.
   *[other] { $count } plans ont plu ; les demandes semblables sont planifiées ainsi ici.
  } "learned forget" avec une entrée la retire.
learned-elsewhere = d'un autre canal
learned-unknown = Rien de ce qui a été appris ici ne s'appelle { $entry }.
learned-forgotten = { $count ->
    [one] Oublié, et le 👍 retiré.
   *[other] { $count } entrées oubliées, et leurs 👍 retirés.
  }
plan-as-liked = Planifié comme cela a déjà plu ici (voir "learned").
model-price = Prix
model-price-tokens = ${ $prompt } en entrée, ${ $completion } en sortie par million de jetons ({ $provider })
details-cost = Coût connu : { $cost }
details-behind = Ensuite seraient venus { $models }.
