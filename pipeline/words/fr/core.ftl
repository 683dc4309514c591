# The pipeline itself: choosing, executing, answering.
stopped = Arrêté.
sentence-unknown = (une note d'une autre version de ce programme)
chosen-recommended = recommandé pour ce genre de tâche
chosen-ranked = le modèle le plus utilisé pour cela qui puisse tourner ici
chosen-planner = choisi par le planificateur d'après sa description
chosen-channel = réglage de ce canal
chosen-because = { $reason }
chosen-only = le seul modèle pour cela qui puisse tourner ici
not-possible-here = { $kind } : ce n'est pas encore possible ici. Un administrateur peut l'activer : la commande « tasks » indique comment.
not-possible-owner = { $kind } : ce n'est pas encore possible ici. Pour l'activer, ajouter une ligne à .env et redémarrer : { $setting }=…
not-possible-installer = { $kind } : ce n'est pas encore possible ici. Tu peux l'activer : [Faire plus](#/setup).
not-possible-rules = { $kind } n'est pas possible ici : les règles d'ici ne laissent aucun modèle pour cela.
not-possible-nobody = { $kind } n'est pas possible ici pour l'instant : personne n'offre de modèle pour cela.
not-possible-now = { $kind } n'est pas possible ici en ce moment : { $reason }
list-unreached-hub = la liste des modèles de Hugging Face est injoignable.
list-unreached-local = le serveur d'experts est injoignable.
not-possible-language = { $kind } n'est pas possible ici dans cette langue ({ $language }) : aucun modèle que je peux utiliser ne la connaît.
wanting-or-model = { $needs } ou un modèle pour cela sur le serveur d'experts
wanting-model = un modèle pour cela sur le serveur d'experts
task-too-long = Cela a pris plus de { $seconds } s et a été abandonné.
task-input-missing = L'étape précédente n'a rien donné d'utilisable.
task-input-unreadable = Son entrée ({ $file }) n'a pas pu être lue.
task-output-unreadable = Ce que le modèle a renvoyé n'est pas un fichier lisible : { $problem }
task-output-missing = Le modèle n'a pas renvoyé ce qui était attendu ({ $missing }).
task-bug = Quelque chose s'est cassé dans le bot lui-même. Référence : { $reference }
fallback-planner = Le modèle de langue n'était pas utilisable ({ $reason }) ; j'ai donc planifié et répondu avec ce qui est intégré.
fallback-plan = Le modèle de langue n'a fait aucun plan sensé ; j'ai donc planifié et répondu avec ce qui est intégré.
fallback-responder = Le modèle de langue n'était pas utilisable ({ $reason }) ; j'ai donc écrit cette réponse avec ce qui est intégré.
nothing-to-do = Je n'ai rien trouvé à faire là-dedans. Dis-moi ce que tu veux, avec un fichier s'il s'agit d'un fichier.
file-unused = { $name } n'a pas été utilisé : { $reason }
voice-heard = J'ai compris : « { $words } »
voice-not-heard = Je n'ai pas pu transcrire ton message vocal. { $reason } Tu peux aussi écrire ta demande.
voice-language = Aucun modèle d'ici ne comprend ta langue.
apology-bug = Quelque chose s'est cassé dans le bot lui-même. C'est dans le journal sous { $reference }.
apology-out-of-time = Cela a pris plus de { $seconds } s et a été abandonné.
apology-still-queued = Trop de demandes passaient avant celle-ci. Elle attendait encore après { $seconds } s et a été abandonnée. Réessaie plus tard.
answer-empty = Voici.
answer-in-file = Le texte complet est dans { $file }. Il commence ainsi :

# What is in a file, for those who cannot see or hear it.
alt-found = Image où ce qui a été trouvé est marqué : { $found }
alt-spoken = Paroles : { $words }
alt-made-from = { $type ->
    [image] Image faite
    [audio] Enregistrement fait
    [video] Vidéo faite
   *[other] Fichier fait
 } à partir des mots : { $words }
alt-changed = { $type ->
    [image] L'image, modifiée
    [audio] L'enregistrement, modifié
    [video] La vidéo, modifiée
   *[other] Le fichier, modifié
 } comme demandé : { $words }
alt-made = { $kind } : { $what }
