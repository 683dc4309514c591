command-learned = Ce qui a été appris ici des 👍, et le retirer
option-do = Que faire ; vide : afficher les entrées
option-entry = Quelle entrée, ou "all" pour toutes
vote-learned = Merci, c'est noté. Les demandes semblables seront planifiées ainsi ici (voir la commande "learned").
learned-off = L'apprentissage par les votes est désactivé ici.
learned-nothing = Rien n'a encore été appris ici. Un 👍 sur une réponse fait de son plan un exemple pour les demandes semblables.
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
