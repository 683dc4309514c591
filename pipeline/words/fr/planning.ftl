# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = L’étape { $step } a été ignorée, car elle est illisible ({ $problem }).
plan-unknown-task = Il n'y a pas de type de tâche appelé « { $name } », donc cette étape a été laissée de côté.
plan-not-here = { $kind } n'est pas possible ici.
plan-needs-dropped = « { $kind } » a été laissé de côté, car il dépend d'une étape qui l'a été.
plan-missing = « { $kind } » a été laissé de côté : rien ne dit quel est son { $slot }.
plan-too-long =
    { $count ->
        [one] Une étape a été laissée de côté : un plan a { $most } tâches au plus.
       *[other] { $count } étapes ont été laissées de côté : un plan a { $most } tâches au plus.
    }
plan-too-many = { $kind } : sur { $count } fichiers, seuls les { $most } premiers ont été pris.
plan-cut-short = Le plan s'est interrompu ; seules les étapes complètes ont été prises.
plan-filled-file = « { $kind } » n'indiquait pas de { $slot } ; il prend { $file }.
plan-filled-output = « { $kind } » n'indiquait pas de { $slot } ; il prend le résultat de « { $source } ».
plan-filled-request = « { $kind } » n'indiquait pas de { $slot } ; il prend les mots du message.
plan-reference-dropped = « { $kind } » renvoyait à une étape qui n'existe pas ou qui en dépend ({ $label }) ; cela a été laissé de côté.
plan-reference-unfit = « { $kind } » ne peut pas utiliser le résultat de « { $source } » comme { $slot } ; cela a été laissé de côté.
plan-inserted = « { $inserted } » a été ajouté avant « { $kind } ».
plan-unfolded = « { $kind } » a été fait { $count } fois, une fois par fichier.
plan-order-dropped = « { $kind } » devait attendre une étape qui n'existe pas ou qui l'attend à son tour ; il n'attend pas.
plan-unknown-file = { $kind } : il n'y a pas de fichier appelé « { $file } ».
plan-url = { $kind } : les liens vers des fichiers ne sont pas acceptés ; envoie le fichier lui-même.
plan-extra = « { $kind } » n'a pas d'entrée « { $extra } » ; elle a été retirée.
plan-parameter-unread = { $kind } : « { $value } » n'est pas utilisable ({ $parameter }) et a été laissé de côté.
plan-parameter-bounded = { $kind } : { $parameter } vaut { $value }, la valeur permise la plus proche.
parameter =
    { $name ->
        [size] taille
        [aspect_ratio] format
        [count] nombre d'images
        [seed] seed
        [negative_prompt] prompt négatif
        [guidance_scale] guidance
        [duration] durée en secondes
        [voice] voix
       *[image] les autres images
    }
plan-empty = Le plan ne contient ni tâche ni réponse.
plan-unusable = Aucun plan n'a pu être fait : { $errors }
plan-corrected = Le plan a été corrigé ; il ne contient plus : { $kind }.
plan-request-cut = Le message est trop long pour le modèle de langue ; le milieu a été laissé de côté.
plan-remark = { $text }
plan-not-continued = Je n’ai pas pu planifier la suite : { $reason }
plan-room-too-small = { $model } n’a que { $room } jetons de contexte ; il en faut { $least } pour planifier.
left-thread = D'accord, dans ce fil je ne répondrai que si on me mentionne. Un administrateur peut en faire la règle du canal : me mentionner avec `settings mention always`.
