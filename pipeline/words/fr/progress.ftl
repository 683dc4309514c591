# What a run looks like while it is under way, and the buttons under it.
progress-thinking = Je prépare un plan …
progress-working =
    { $all ->
        [one] J'y travaille
       *[other] J'y travaille : { $done } étapes faites sur { $all }
    }
progress-ended =
    { $all ->
        [one] { $done } étape faite sur 1
       *[other] { $done } étapes faites sur { $all }
    }
progress-queued = en file d'attente, { $place }
progress-took = { $seconds } s
taken-earlier = repris d'avant
taken-task = repris de la tâche { $task }, qui fait la même chose
taken-made = repris d'avant ({ $seconds } s à ce moment-là)
estimate-seconds = environ { $seconds } s
estimate-minutes = environ { $minutes ->
    [one] une minute
   *[other] { $minutes } minutes
  }
estimate-cost = environ { $dollars } dollars pour les étapes
estimate-cost-small = moins d'un cent américain pour les étapes
estimate-both = { $time }, { $cost }
button-stop = Arrêter
button-retry = Réessayer
button-another = Autre modèle
button-details = Détails
button-up = 👍
button-down = 👎
run-ended = { $who } C'est terminé.
vote-up = Bonne réponse
vote-down = Mauvaise réponse
button-choose = Autre modèle pour une étape
button-first = A est meilleur
button-second = B est meilleur
files-too-large = Ces fichiers sont trop grands pour être montrés ici :
file-left-out = { $file } a été laissé de côté.
