# The answer that is written without a language model.
respond-label = Le plus probable : { $label }.
respond-also = Moins probable : { $labels }.
respond-alike = Ils se ressemblent à { $percent } %.
respond-source = **{ $value }** ({ $source })
respond-things = J'ai trouvé { $things }.
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
respond-failed = « { $kind } » n'a pas fonctionné : { $reason }
respond-none = { $kind } : { $reason }
respond-skipped = « { $kind } » a été ignoré, car une étape nécessaire n'a pas fonctionné : « { $because } ».
respond-stopped = « { $kind } » a été arrêté.
respond-unused = Laissé de côté, car { $model } ne l'accepte pas : { $names }.
listed = { $names }, { $name }
respond-nothing = Je n'ai pas pu le faire.
compared-first = **A** · { $model } (avant)
compared-second = **B** · { $model } (nouveau)
label-per = personne
label-person = personne
label-org = organisation
label-organization = organisation
label-loc = lieu
label-gpe = lieu
label-location = lieu
label-misc = nom
# What was changed in an answer.
history-unread = Je n'ai pas pu lire à temps les messages précédents.
check-struck =
    { $count ->
        [one] Un lien ou un nom de fichier absent des résultats a été retiré de cette réponse.
       *[other] { $count } liens ou noms de fichiers absents des résultats ont été retirés de cette réponse.
    }
answer-cut = La réponse dépassait { $count } caractères et a été coupée.
answer-unfinished = Ce texte n'est pas complet : le modèle s'est arrêté trop tôt. Pour la suite, écris « continue ».
# Moods as experts for voices shorten them.
label-ang = en colère
label-hap = joyeux
label-neu = neutre
label-fea = effrayé
label-dis = dégoûté
label-sur = surpris
label-exc = enthousiaste
label-fru = frustré
