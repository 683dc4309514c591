# What a run looks like while it is under way, and the buttons under it.
progress-thinking = Je réfléchis à la façon de faire …
progress-working =
    { $all ->
        [one] J'y travaille
       *[other] J'y travaille : { $done } étapes faites sur { $all }
    }
progress-took = { $seconds } s
button-stop = Arrêter
button-retry = Réessayer
button-another = Autre modèle
button-details = Détails
button-up = 👍
button-down = 👎
