# Experts: what went wrong with one.
expert-loading = { $model } est encore en cours de chargement.
expert-busy = { $model } est surchargé en ce moment.
expert-broken = { $model } a échoué (statut { $status }).
expert-unreachable = { $model } est injoignable.
expert-key-refused = La clé d'accès pour { $model } a été refusée.
expert-credit-used-up = Le crédit du compte pour { $model } est épuisé.
expert-access-refused = Ce compte ne peut pas utiliser { $model } ; il faut peut-être d'abord accepter sa licence.
expert-model-gone = { $model } n'existe plus là-bas.
expert-input-refused = { $model } a refusé cette entrée.
expert-garbled = { $model } a envoyé une réponse illisible.
expert-answer-too-large = { $model } a envoyé plus de { $megabytes } Mo ; la réponse n'a pas été utilisée.
expert-not-on-the-wire = Les modèles pour { $kind } ne sont pas accessibles par le réseau.
expert-input-type = { $model } n'accepte pas ce type de fichier pour { $kind }.
expert-input-missing = { $kind } : il manque « { $slot } ».
expert-one-sentence = Il faut au moins deux textes pour les comparer.
expert-table-unfit = Le tableau est vide ou a plus de { $cells } cellules.
local-language-unknown = Le modèle { $model } ne connaît pas la langue { $language }.

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = Il n'y avait pas de texte.
embedded-no-file = Il n'y avait pas de fichier.
embedded-file-type = Ce type de fichier n'est pas pris en charge ici.
embedded-spoken = Lu par une voix de synthèse ({ $language }).
embedded-spoken-cut = Seuls les { $characters } premiers caractères ont été lus.
embedded-spoke-nothing = Rien dans ce texte ne peut se prononcer.
embedded-no-voice = Il n'y a pas de voix intégrée pour « { $language } ».
embedded-voice-unable = La voix en { $language } ne peut pas lire ces caractères : { $characters }
embedded-picture-too-large = L'image a trop de pixels.
embedded-picture-unreadable = Impossible d'ouvrir l'image.
embedded-no-text = Aucun texte n'a été trouvé.
embedded-read-badly = C'était difficile à lire, certaines parties peuvent être fausses.
embedded-document-empty = Le document est vide.
embedded-document-cut = Seuls les { $characters } premiers caractères ont été utilisés.
embedded-document-broken = Le document est endommagé et illisible.
embedded-document-too-large = Le document est trop grand.
embedded-document-unknown = Ce type de document n'est pas pris en charge ici. Possibles : PDF, Word (docx), PowerPoint (pptx), OpenDocument, EPUB, e-mail, calendriers, tableurs, HTML, CSV et texte brut.
embedded-pdf-locked = Le PDF est protégé par un mot de passe.
embedded-pdf-broken = Le PDF est endommagé et illisible.
embedded-pages-cut = Le document a { $pages } pages ; les { $read } premières ont été lues.
embedded-pages-scanned = { $pages ->
    [one] Une page numérisée a été lue
   *[other] { $pages } pages numérisées ont été lues
 } par reconnaissance de texte, ce qui peut causer des erreurs.
embedded-columns-mixed = Le texte en colonnes peut être mélangé.
embedded-scans-left = { $pages ->
    [one] Une autre page numérisée n'a pas été lue.
   *[other] { $pages } autres pages numérisées n'ont pas été lues.
 }
embedded-table-empty = Le tableau n'a pas de lignes.
embedded-no-answer = Rien dans le texte ne répond à la question.
embedded-answer-line = d'après la ligne « { $line } »
embedded-says = Le fichier dit : « { $line } »
embedded-says-part = Le fichier dit : « { $line } ». Je n'ai rien trouvé sur « { $words } ».
embedded-closest = Je ne vois pas de réponse claire. Les lignes les plus proches : { $lines }
embedded-part = { $question } → { $answer }
embedded-part-refused = { $question } → sans réponse : { $answer }
embedded-table-grouped = { $operation }, pour chaque `{ $group }`
embedded-table-operation =
    { $op ->
        [sum] somme de `{ $column }`
        [mean] moyenne de `{ $column }`
        [median] médiane de `{ $column }`
        [max] plus haute valeur de `{ $column }`
        [min] plus basse valeur de `{ $column }`
        [distinct] nombre de `{ $column }` différents
        [lookup] `{ $column }`
       *[count] nombre de lignes
    }{ $where ->
        [none] , { $rows ->
            [one] 1 ligne
           *[other] { $rows } lignes
        }
       *[other] , { $rows ->
            [one] 1 ligne
           *[other] { $rows } lignes
        } où { $where }
    }
embedded-table-unclear = Je ne peux pas répondre avec ce tableau : je ne comprends pas « { $words } ». Les colonnes sont : { $columns }.
embedded-table-which-column = Je ne peux pas répondre avec ce tableau. Indique une colonne. Les colonnes sont : { $columns }.
embedded-table-not-numbers = Je ne peux pas calculer avec `{ $column }` : toutes les valeurs ne sont pas des nombres, ou un nombre peut se lire de deux façons (1.234).
embedded-table-several-rows = { $rows } lignes conviennent. Demande la somme, la moyenne, le maximum ou le minimum de `{ $column }`, ou indique une ligne.
embedded-table-beyond = Je ne peux pas répondre avec ce tableau. Je sais compter, additionner, faire la moyenne, grouper et filtrer les lignes, et trouver le maximum ou le minimum. Les colonnes sont : { $columns }.
embedded-heard = Anglais seulement ; des mots peuvent être faux.
embedded-heard-partial = Le temps a manqué : seules les { $minutes } premières minutes sont transcrites.
embedded-gist = Les phrases les plus parlantes, telles quelles.
embedded-summary = Composé des phrases les plus parlantes telles quelles ; rien n'a été reformulé.
embedded-summary-whole = trop court pour être résumé : voici tout le texte
embedded-alike = les mots sont comparés, pas le sens
embedded-sound-unreadable = Impossible de lire l'enregistrement.
embedded-nothing-heard = Aucune parole n'a été reconnue.
embedded-faces = { $count ->
    [0] Aucun visage n'a été trouvé ; seuls les visages sont cherchés ici.
    [1] Un visage a été trouvé ; seuls les visages sont cherchés ici.
   *[other] { $count } visages ont été trouvés ; seuls les visages sont cherchés ici.
 }
embedded-faces-only = Je ne peux trouver ici que des visages, pas { $wanted }. Un administrateur peut ajouter un modèle qui trouve autre chose.
embedded-no-filter = Aucun des filtres ne convient. Il y a : { $filters }. Pour d'autres changements, un administrateur peut ajouter un modèle.
embedded-whole-picture = Je ne peux modifier qu'une image entière, pas une partie. Un administrateur peut ajouter un modèle pour cela.
embedded-filtered = Filtre sur toute l'image : { $filters }.
embedded-filter =
    { $name ->
        [colour-pencil-sketch] dessin aux crayons de couleur
        [pencil-sketch] dessin au crayon
        [cartoon] bande dessinée
        [painting] peinture
        [black-and-white] noir et blanc
        [sepia] sépia
        [denoise] moins de bruit
       *[blur] flou
        [sharpen] netteté
        [negative] négatif
        [upscale] taille doublée
        [smooth] lissage
        [brighter] plus clair
        [darker] plus sombre
        [more-contrast] plus de contraste
    }
embedded-large-already = Ici, seules les images de { $side } pixels de côté au plus sont agrandies.
embedded-english-only = Je ne peux juger le ton que d'un texte anglais.
embedded-mood = le ton des mots anglais ; l'ironie n'est pas reconnue
embedded-not-classes = La colonne { $column } ne contient pas de classes à apprendre (au moins deux, chacune plusieurs fois).
embedded-no-column = Il n'y a pas de colonne { $column }. Les colonnes sont : { $columns }.
embedded-few-rows = Seules { $rows } lignes ont une valeur connue ; il en faut au moins { $needed } pour apprendre.
embedded-no-features = Aucune autre colonne ne permet d'apprendre.
embedded-classified = Juste pour { $percent } % de { $rows } lignes jamais vues ; répondre toujours la classe la plus fréquente serait juste à { $usual } %.
embedded-regressed = Écart moyen de { $off } sur { $rows } lignes jamais vues ; R² { $explained }.
embedded-held-out = Colonne prédite : { $column }. Les lignes à valeur connue ont été prédites sans voir cette valeur. Valeurs complétées : { $filled }.
embedded-column-guessed = Tu n'as pas nommé de colonne ; la dernière ({ $column }) a été utilisée.
embedded-can-files = Possible ici : redimensionner, rogner, tourner, retourner, couper d'un instant à un autre, changer la vitesse, extraire une image fixe ou le son, compresser ou convertir dans un autre type.
embedded-converted =
    { $op ->
        [resize] Redimensionné pour tenir dans { $one } pixels.
        [scale] Mis à l'échelle de { $percent } %.
        [crop] Recadré à { $one } pixels.
        [aspect] Recadré au format { $one }.
        [rotate] Tourné de { $one }° vers la droite.
        [flip] Retourné en miroir.
        [keep] Gardé de { $one } s à { $two } s.
        [keep_end] Gardé les { $one } dernières s.
        [drop] Enlevé les { $one } premières s.
        [speed] Vitesse à { $percent } %.
        [type] Converti en { $ending }.
        [poster] Pris une image fixe.
        [sound] Pris le son.
        [strip] Métadonnées comme le lieu et l’appareil supprimées.
        [frames] Une image prise toutes les { $one } s.
        [mute] Enlevé le son.
        [louder] Augmenté le volume.
        [quieter] Baissé le volume.
       *[smaller] Compressé.
    }
embedded-not-for-pictures = Cela ne marche qu'avec des enregistrements et des vidéos, pas avec une image.
embedded-nothing-left = Après la coupe, il ne restait rien ; le fichier est peut-être plus court.
embedded-no-sound = La vidéo n'a pas de son.
embedded-too-long = Le fichier est trop long.
embedded-film-unreadable = Le fichier est endommagé ou son type n'est pas pris en charge.
embedded-no-cleaning = Je ne peux pas faire cela avec un son. Je peux réduire un bruit constant ou un ronflement, retirer la voix d'une musique stéréo, égaliser le volume, rendre le son plus grave ou plus aigu. Un administrateur peut ajouter un modèle qui fait plus.
embedded-no-noise = Il n'y a presque pas de bruit constant, il n'y avait donc rien à retirer.
embedded-not-stereo = Ici, la voix ne peut être retirée que d'un enregistrement stéréo, et celui-ci est identique des deux côtés.
embedded-sound-noise = Le bruit constant a été réduit. Les bruits soudains, les autres voix et l'écho restent.
embedded-sound-hum = Le ronflement du secteur (50 et 60 Hz et leurs harmoniques) a été filtré.
embedded-sound-voice = Ce qui se trouve au milieu de l'image stéréo a été retiré, là où sont le plus souvent les voix ; des traces de la voix peuvent rester, et la batterie au milieu s'affaiblit.
embedded-sound-loudness = Le volume a été réglé à −16 LUFS, comme d'habitude pour la parole sur le web.
embedded-sound-lower = La hauteur est de quatre demi-tons plus grave ; c'est un filtre, pas la voix d'une autre personne.
embedded-sound-higher = La hauteur est de quatre demi-tons plus aiguë ; c'est un filtre, pas la voix d'une autre personne.
expert-job-failed = { $model } a abandonné.
expert-result = { $model } a fait quelque chose qui n'a pas pu être récupéré : { $problem }
embedded-order-unclear = Je ne comprends pas « { $words } », donc rien n’a été fait. { $can }
embedded-order-empty = Je n’ai pas compris ce qu’il faut faire. { $can }
embedded-can-pages = Avec un PDF ou des images, je sais : fusionner, séparer, extraire ou supprimer des pages, les tourner, inverser leur ordre, compresser, faire des images des pages ou un PDF à partir d’images.
embedded-can-tables = Avec un tableau, je sais : trier, filtrer les lignes, garder ou supprimer des colonnes, et l’enregistrer en CSV, Excel (xlsx) ou JSON.
embedded-can-charts = À partir d’un tableau, je sais tracer des barres, une courbe, un camembert ou un nuage de points ; indique les colonnes telles qu’elles sont écrites.
embedded-pages-done =
    { $op ->
        [merged] Fusionné en un PDF de { $pages } pages.
        [split] Séparé en { $files } fichiers.
        [drawn] Pages en images : { $files }.
        [pictures] Images extraites : { $files }.
        [rotated] Pages tournées.
        [dropped] Pages supprimées.
        [reversed] L’ordre des pages est inversé.
        [smaller] Compressé ; ses images sont moins nettes.
        [smaller-text] Compressé.
        [cleaned] Métadonnées comme l’auteur et le logiciel supprimées.
       *[pages] Pages extraites.
    }
embedded-pages-missing = Il n’y a pas de page { $page } : le document en a { $pages }.
embedded-pages-range = Je ne peux pas lire ces numéros de page.
embedded-pages-of-which = Fusionne d’abord, puis indique les pages : je ne sais pas de quel document il s’agit.
embedded-quarter-turns = Les pages d’un PDF ne peuvent être tournées que de 90, 180 ou 270 degrés.
embedded-merge-one = Il n’y a qu’un document. Pour fusionner, il en faut au moins deux.
embedded-no-pictures = Le document ne contient pas d’images.
embedded-nothing-left-of-pages = Il ne resterait aucune page. Indique les pages à supprimer.
embedded-no-smaller = Le PDF ne peut pas être réduit de façon notable.
embedded-too-many-files = Cela ferait { $files } fichiers ; { $limit } au plus sont possibles. Indique moins de pages.
embedded-no-rows-fit = Aucune ligne ne convient.
embedded-table-written = { $rows ->
        [one] Une ligne
       *[other] { $rows } lignes
    }{ $where ->
        [none] {""}
       *[other] {" "}{ $not ->
            [yes] sans
           *[no] avec
        } { $where }
    }{ $sorted ->
        [none] {""}
       *[other] , triées par { $sorted } ({ $order ->
            [descending] décroissant
           *[ascending] croissant
        })
    }, en { $ending }.
embedded-charted = { $op ->
        [sum] Somme de { $values } par { $over }
        [mean] Moyenne de { $values } par { $over }
        [median] Médiane de { $values } par { $over }
        [count] Nombre de lignes par { $over }
       *[other] { $values } selon { $over }
    }, à partir de { $rows } lignes{ $where ->
        [none] .
       *[other] {" "}({ $where }).
    }
embedded-no-font = Certains caractères ne peuvent pas être dessinés ici : aucune police installée ne les contient.
embedded-chart-columns = Je ne sais pas quelles colonnes tracer. Indique-en une avec des nombres et celle des étiquettes. Les colonnes sont : { $columns }.
embedded-chart-two-columns = Un nuage de points demande deux colonnes de nombres. Les colonnes sont : { $columns }.
embedded-chart-too-large = C’est trop pour un seul graphique : { $series } colonnes et { $places } étiquettes au plus.
embedded-pie-slices = Un camembert de { $slices } parts est illisible ; { $limit } au plus sont possibles.
embedded-pie-negative = Un camembert demande des nombres positifs.
embedded-first-frame = L’image a { $frames } vues ou pages ; seule la première a été utilisée.
