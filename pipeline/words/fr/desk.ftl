# Commands and buttons.
command-ask = Demander quelque chose, avec ou sans fichier
command-models = Les modèles qui peuvent tourner ici
command-model = Tout sur un modèle
command-tasks = Tous les types de tâches, et où ils peuvent tourner
command-plan = Le plan de la dernière demande de ce fil
command-status = Ce qui est en cours
command-stop = Arrêter ce qui est en cours dans ce fil
command-forget = Oublier moi, ce fil ou ce canal
command-settings = Voir ou changer les réglages de ce canal
command-help = Ce que je sais faire
command-whoami = Ton id et celui de ce canal
option-text = Ce que tu veux
option-file = Un fichier dont il s'agit
option-kind = Un type de tâche
option-search = Mots à chercher
option-id = L'identifiant du modèle
option-what = Ce qu'il faut oublier
option-name = Le réglage
option-value = Sa nouvelle valeur, ou "default"
form-files = Fichiers dont il s’agit
unknown = inconnu
models-none = Aucun modèle pouvant tourner ici ne correspond à « { $words } ».
model-unknown = Je ne connais aucun modèle appelé { $name }.
model-kind = Type de tâche
model-places = Tourne chez
model-licence = Licence
model-languages = Langues
model-downloads = Téléchargements
model-size = Taille
model-revision = Révision
model-likes = J'aime
model-gated = Accès
model-gated-yes = sa licence doit d'abord être acceptée sur le Hub
model-nowhere = nulle part ici pour le moment
model-rules = Ne peut pas être utilisé ici
model-record = Ici jusqu'à présent, { $kind } : { $attempts ->
    [0] pas encore utilisé
    [one] utilisé une fois, { $failures } en échec, environ { $seconds } s, 👍 { $ups }, 👎 { $downs }
   *[other] utilisé { $attempts } fois, { $failures } en échec, environ { $seconds } s, 👍 { $ups }, 👎 { $downs }
  }
tasks-enabled-by = mettre { $what } dans .env et redémarrer
tasks-nobody = personne ne propose de modèle pour cela en ce moment
tasks-rules = les règles de ce canal ne laissent aucun modèle pour cela
help-intro = Dis-moi ce que tu veux, avec des fichiers si besoin (dans un canal, mentionne-moi) : je planifie les étapes, je choisis des modèles experts, je les fais tourner et je réponds dans le fil. Continue dans le fil avec ton prochain message. Commandes :
whoami = { $name ->
    [you] Ton id est { $id } (langue { $locale }),
    [me] Ton id est { $id } (langue { $locale }),
   *[other] Tu es { $name } (id { $id }, langue { $locale })
  } dans le canal { $channel } de { $workspace } sur { $platform }. Troupe { $version }.
plan-none = Il n'y a pas encore de plan dans ce fil.
status = { $here ->
    [0] Rien n'est en cours ici
    [one] Une demande est en cours ici
   *[other] { $here } demandes sont en cours ici
  }, { $everywhere } en tout. Troupe { $version }.
status-places = Les modèles tournent chez : { $places }.
stop-done = { $count ->
    [0] Il n'y avait rien à arrêter.
   *[other] Arrêté.
  }
details-estimate = Estimé à l'avance : { $estimate }
state-done = fait en { $seconds } s
state-skipped = pas commencée, car la tâche { $task } n'a pas été faite
erase = { $scope ->
    [me] Cela supprime définitivement vos messages dans tous les canaux d'ici, mes réponses et leurs fichiers. C'est irréversible.
    [thread] Cela supprime définitivement tout ce que je garde de ce fil, avec ses fichiers. C'est irréversible.
    [channel] Cela supprime définitivement tout ce que je garde de ce canal : ses fils, ses fichiers et ses réglages. C'est irréversible.
   *[other] `{ $what }` supprime définitivement ce qui est enregistré. C'est irréversible.
  }
erase-title = Supprimer pour toujours ?
erase-yes = Supprimer
erase-no = Annuler
erase-cancelled = Rien n'a été supprimé.
forget-what = Dis ce qu'il faut oublier : me (toi), thread (le fil) ou channel (le canal).
forgotten = { $scope ->
    [me] Oublié : vos messages dans tous les canaux d'ici, mes réponses et leurs fichiers.
   *[thread] Oublié : tout ce qui a été dit dans ce fil, avec ses fichiers.
  } Entrées supprimées : { $rows }. Fichiers supprimés : { $files }.
forgotten-thread = Oublié à la demande de { $name } : tout ce qui a été dit dans ce fil. Entrées supprimées : { $rows }. Fichiers supprimés : { $files }.
forgotten-channel = Oublié à la demande de { $name } : tout ce qui a été dit dans ce canal. Entrées supprimées : { $rows }. Fichiers supprimés : { $files }.
settings-unknown = Le réglage { $name } n'existe pas ; il y a { $names } et model:<type de tâche>.
settings-bad = { $value } ne convient pas ; il y a : { $choices }.
settings-heading = Réglages de ce canal :
setting-places = Où les modèles peuvent tourner
setting-mention = Quand me mentionner dans les fils
setting-listen = Où je garde les messages à d’autres
setting-language = Ma langue ici
setting-learn = Où les plans aimés servent d’exemples
setting-licence = Licences que peuvent avoir les modèles
vote-kept = Merci, c'est noté.
vote-compared = Merci, c’est noté : { $model } est meilleur.
run-forgotten = Je ne me souviens plus de cette demande.
perhaps-repeated = ({ $platform } n'a pas dit si ceci était déjà arrivé ; cela figure donc peut-être deux fois ici.)
command-unknown = La commande { $name } n'existe pas ; "help" les énumère.
command-not-repeated = Une commande ne peut pas être relancée avec un bouton. Envoie-la de nouveau, s'il te plaît.
not-allowed = Tu n'as pas le droit de m'utiliser ici. Une personne qui administre peut changer cela.
not-allowed-admins = Seules les personnes qui administrent peuvent faire cela ({ $what }).
over-limit-person = C'était plus de { $limit } demandes en une minute. Attends { $seconds } s, s'il te plaît.
over-limit-channel = Ce canal a fait plus de { $limit } demandes en une minute. Attends { $seconds } s, s'il te plaît.
text-too-long = Le message a { $length } caractères ; j'en accepte { $limit } au plus. Envoie-le plutôt comme fichier.
file-too-large = il fait { $size } Mo, et j'accepte { $limit } Mo au plus.
apology-patience = J'ai été interrompu { $attempts } fois pendant ce travail et j'abandonne. Redemande-le-moi, s'il te plaît.

# The command line.
plan-no-task = Cela ne demande aucune tâche ; je répondrais directement.
file-not-read = Impossible de lire { $file } : { $problem }
menu-none = Il n'y a rien dans ce message sur quoi travailler.
menu-describe-none = Il n'y a ni image ni fichier dans ce message.
menu-transcribe-none = Il n'y a ni enregistrement ni vidéo dans ce message.
menu-describe = Décrire
menu-describe-wish = Décris ceci.
menu-read = Lire à voix haute
menu-read-wish = Lis ceci à voix haute.
menu-transcribe = Transcrire
menu-transcribe-wish = Transcris ceci.
menu-translate = Traduire
menu-translate-wish = Traduis ceci en français.
menu-summarize = Résumer
menu-summarize-wish = Résume ceci.
menu-thread = Résumer le fil
menu-thread-wish = Résume ce fil.
tasks-extra = l'installer avec { $what } et redémarrer
tasks-needs = il faut { $what }
tasks-none = Rien ne fonctionne ici pour l'instant.
tasks-works = Ce qui fonctionne ici :
tasks-missing = Ce qui ne fonctionne pas encore, et ce qui le changerait :
tasks-set-up = Tu peux activer davantage sans modifier de fichier : [Faire plus](#/setup).
tasks-more = { $count ->
    [one] Une chose de plus peut être activée par l'administration.
   *[other] { $count } choses de plus peuvent être activées par l'administration.
  }
tasks-pick = En savoir plus sur …
models-heading = Modèles qui fonctionnent ici :
models-for = { $kind } :
models-pick = Modèles pour …
models-rest = { $count } de plus. Pour en trouver un : models et un mot de son nom.
setting-mention-value = { $value ->
    [always] toujours
    [threads] pas dans les fils où je participe
   *[default] comme partout
  }
setting-listen-value = { $value ->
    [threads] dans les fils où je participe
    [all] partout dans ce canal
   *[default] comme partout
  }
setting-language-value = { $value ->
    [default] celle de la demande
   *[other] { $value }
  }
setting-learn-value = { $value ->
    [workspace] partout ici
    [channel] dans ce canal
    [off] nulle part
   *[default] comme partout
  }
setting-licence-value = { $value ->
    [commercial] celles qui permettent un usage commercial
   *[default] toutes
  }
settings-whose = L'administration peut les changer.
option-about = De quoi il s’agit
