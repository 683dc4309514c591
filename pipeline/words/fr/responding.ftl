# The answer that is written without a language model.
respond-sure = J'en suis très sûr.
respond-fairly = J'en suis assez sûr.
respond-unsure = Je n'en suis pas sûr, à vérifier.
respond-is = { $subject } est { $found }
respond-label = Le plus probable : { $label }.
respond-also = Moins probable : { $labels }.
respond-alike = Ils se ressemblent à { $percent } %.
respond-things = J'ai trouvé { $things }.
respond-and = { $most } et { $last }
respond-found-nothing = Rien n'a été trouvé.
respond-made-image =
    { $count ->
        [one] Voici l'image.
       *[other] Voici les { $count } images.
    }
respond-made-audio =
    { $count ->
        [one] Voici l'enregistrement.
       *[other] Voici les { $count } enregistrements.
    }
respond-made-video =
    { $count ->
        [one] Voici la vidéo.
       *[other] Voici les { $count } vidéos.
    }
respond-made-document =
    { $count ->
        [one] Voici le document.
       *[other] Voici les { $count } documents.
    }
respond-made-table =
    { $count ->
        [one] Voici le tableau.
       *[other] Voici les { $count } tableaux.
    }
respond-which = { $kind } ({ $what })
respond-failed = { $kind }, cela n'a pas marché : { $reason }
respond-none = { $kind } : { $reason }
respond-skipped = « { $kind } » n'a pas été commencé, car « { $because } » n'a pas marché.
respond-stopped = « { $kind } » a été arrêté.
respond-how = Comment : { $steps }.
respond-step = { $model } ({ $place ->
    [embedded] intégré
    [llm] modèle de langage
    [local] serveur local
    [hosted] hébergé
   *[other] { $place }
 }) pour { $kind }
respond-nothing = Rien n'a été fait.
respond-entity-per = personne
respond-entity-org = organisation
respond-entity-loc = lieu
respond-entity-misc = nom
