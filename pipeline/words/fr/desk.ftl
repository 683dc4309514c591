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
settings-wrong = Ces réglages ne conviennent pas :
    { $problems }
    docs/operator-guide.md les explique.
settings-unreadable = Impossible de lire la configuration dans .env ou troupe.toml : { $problem }
home-unwritable = Le dossier { $folder } ne peut pas servir pour les données : { $problem }. Donne à TROUPE_HOME un dossier où l'on peut écrire.

# The command line and the doctor.
serving-page = Troupe est à l'adresse { $address }. Ouvre-la dans ton navigateur ; Ctrl-C y met fin.
signed-out = Tout le monde est déconnecté de la page web, et les liens vers les fichiers ne fonctionnent plus.
serving-chat = Troupe écoute sur { $platform }.
plan-no-task = Cela ne demande aucune tâche ; je répondrais directement.
file-not-read = Impossible de lire { $file } : { $problem }
doctor-data = Les données sont gardées dans { $where }.
doctor-no-llm = Aucun modèle de langue n'est configuré : le planificateur intégré sert à sa place. Pour de meilleurs plans, définis HF_TOKEN, OPENAI_API_KEY ou OPENAI_BASE_URL.
doctor-llm-off = TROUPE_CONTROLLER est désactivé : le planificateur intégré planifie et répond.
doctor-llm-good = Le modèle de langue { $model } répond.
doctor-llm-plans = { $model } planifie et rédige les réponses.
doctor-llm-sees = { $model } voit les images. Interrogé sur les couleurs d'un carré bleu et d'un carré rouge, il a dit : { $reply }
doctor-llm-sees-bad = { $model } est censé voir les images, mais ne distingue pas un carré bleu d'un carré rouge.
doctor-llm-blind = Aucun modèle de langue ne voit les images ici ; aucun n'en reçoit donc.
doctor-llm-cost = Une demande typique coûte environ { $cost } $ pour le modèle de langue.
doctor-llm-cost-unknown = Le coût d'une demande est inconnu : le serveur n'indique aucun prix pour { $model }.
doctor-llm-bad = Le modèle de langue { $model } ne répond pas à l'adresse { $address }.
doctor-says = Il dit : « { $words } »
doctor-llm-unlisted = Le serveur n'a pas de modèle { $model }. Il propose : { $models }
doctor-llm-room = Le contexte de { $model } contient { $room } jetons ; la planification en demande { $least }.
doctor-llm-room-short = Le contexte de { $model } contient { $room } jetons. La planification en demande { $least } ; avec { $wanted } ou plus, les plans sont meilleurs.
doctor-llm-room-bad = Le contexte de { $model } ne contient que { $room } jetons. La planification en demande { $least } : le modèle ne peut donc pas planifier.
doctor-llm-room-refused = { $model } n'accepte pas un texte aussi long que la planification le demande ({ $least } jetons).
doctor-llm-room-unknown = { $model } accepte des textes aussi longs que la planification le demande ({ $least } jetons). Le serveur ne dit pas combien contient son contexte : { $room } jetons sont supposés, sauf si TROUPE_LLM_CONTEXT dit autre chose.
doctor-llm-sees-wrong = Interrogé sur les couleurs d'un carré bleu et d'un carré rouge, il a dit : { $reply }
doctor-hub-list = La liste des modèles proposés est lisible : { $count } pour { $task }, { $dropped } illisibles.
doctor-hub-list-bad = La liste des modèles proposés est inutilisable : { $problem }. En attendant, les modèles que Troupe connaît lui-même sont proposés.
nearby-found = Un modèle de langue tourne sur cette machine : { $model } à { $address }. Pour l’utiliser, mets cette ligne dans .env : OPENAI_BASE_URL={ $address }
nearby-used = OPENAI_BASE_URL est auto : { $model } à { $address } est utilisé.
nearby-none = OPENAI_BASE_URL est auto, mais aucun modèle de langue ne tourne sur cette machine (cherché à { $addresses }). Le planificateur intégré planifie et répond.
doctor-sandbox-good = Les processus de travail n’ont pas de réseau et n’atteignent ni ce programme ni ses données.
doctor-sandbox-bad = Les processus de travail atteignent ce qu’ils ne devraient pas : { $reached }. { $lacking ->
    [nothing] TROUPE_HOME ou .env se trouve dans un dossier de programmes ; déplacez-le.
   *[other] Il manque au noyau, ou le conteneur masque : { $lacking }. Voir « Sandbox » dans docs/operator-guide.md.
  }
doctor-sandbox-none = Les processus de travail s’exécutent sans sandbox : elle n’existe que sous Linux.
doctor-embedded-good = Les experts intégrés sont installés.
doctor-embedded-bad = Des experts intégrés ne sont pas installés : { $missing }.
doctor-experts-good = Le serveur d'experts de cette machine tourne à l'adresse { $address }.
doctor-experts-none = L'extra [local] est installé, mais aucun modèle ne se trouve dans { $folders } : télécharges-en un (hf download) et redémarre.
doctor-kinds = { $can } types de tâches sur { $all } peuvent tourner ici maintenant (`troupe ask tasks` les énumère).
doctor-no-platform = Ni Slack ni Discord n'est configuré : c'est la page web qui est servie. Définis SLACK_BOT_TOKEN ou DISCORD_TOKEN.
doctor-token-short = TROUPE_WEB_TOKEN est court, et rien ne freine qui cherche à le deviner. Mets-en un plus long :
doctor-readable = D'autres utilisateurs de cette machine peuvent lire { $path }.
doctor-hub-good = Hugging Face connaît HF_TOKEN : il appartient à { $name }.
doctor-hub-refused = Hugging Face refuse HF_TOKEN. Crée un nouveau jeton qui peut appeler Inference Providers, et configure-le.
doctor-server-good = Le serveur d'experts à { $address } répond ; il a { $count } modèles.
doctor-server-refused = Le serveur d'experts à { $address } refuse TROUPE_EXPERTS_TOKEN. Configure le jeton avec lequel il a été démarré.
doctor-unreached = { $status ->
    [0] Rien ne répond à { $address }. Vérifie que le serveur tourne et que { $setting } est juste.
   *[other] { $address } répond avec le statut { $status }. Vérifie { $setting }.
  }
doctor-ffmpeg-good = ffmpeg fonctionne.
doctor-ffmpeg-bad = ffmpeg ne fonctionne pas : les vidéos et la plupart des sons ne peuvent pas être convertis.
doctor-timeout = Pas de réponse en { $seconds } s : { $name }.
doctor-broke = La vérification elle-même a échoué : { $name } ({ $problem }).
setting-unknown = Le réglage { $name } n'existe pas. Voulais-tu dire { $nearest } ?
setting-unknown-plain = Le réglage { $name } n'existe pas. Voir docs/operator-guide.md.
setting-retired = Le réglage { $name } n'a plus d'effet ; il peut être supprimé.
chat-broke = Une panne s'est produite, le redémarrage est en cours ; le journal en dit plus.
doctor-done = { $wrong ->
    [0] Tout va bien.
    [one] Une chose à réparer.
   *[other] { $wrong } choses à réparer.
  }
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
