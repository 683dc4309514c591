# Ce qui a été changé dans une réponse qui disait plus que les résultats des modèles.
check-struck =
    { $count ->
        [one] Un fichier ou une adresse qui n'existe pas a été retiré de cette réponse.
       *[other] { $count } fichiers ou adresses qui n'existent pas ont été retirés de cette réponse.
    }
check-mended =
    { $count ->
        [one] Un nombre de cette réponse a été corrigé d'après les résultats des modèles.
       *[other] { $count } nombres de cette réponse ont été corrigés d'après les résultats des modèles.
    }
check-marked = (?) suit ce qu'aucun résultat d'un modèle ne dit.
respond-empty = Rien trouvé : { $kind }.
respond-itself = Le résultat ({ $kind }) : { $found }.
respond-doubt = Le modèle n'en est pas sûr ({ $kind }).
respond-disagree = Les modèles ne sont pas d'accord : { $first } donne { $one }, { $second } donne { $other }.
