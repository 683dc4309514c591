# Worker processes, and files that cannot be read, converted or made smaller.
worker-lost = Le programme qui travaillait là-dessus s'est arrêté brutalement.
worker-out-of-memory = Cela demandait plus de mémoire qu'un travail ne peut en utiliser ici.
media-empty = Le fichier est vide (0 octet).
media-blank = Le fichier ne contient que du blanc.
media-too-large = Le fichier fait { $size } Mo ; { $limit } Mo au plus sont lus ici.
media-broken = Le fichier est endommagé ou incomplet, il est illisible ({ $kind }).
media-mislabelled = Son nom finit par { $ending }, mais il contient { $found }.
media-is-page = une page web
media-is-text = du texte
media-too-many-pixels = L'image a { $size } pixels ; { $limit } mégapixels au plus sont lus ici.
media-too-many-frames = L'animation a { $frames } images ; { $limit } au plus sont lues ici.
media-bomb = Décompressé, le fichier ferait { $size } Mo ; de tels fichiers ne sont pas ouverts ici.
media-encrypted = Le fichier est protégé par un mot de passe. Envoie-le sans.
media-archive = Les archives ne sont pas ouvertes ici. Envoie un par un les fichiers qu'elle contient.
media-unknown = Les fichiers de ce type ne peuvent pas être lus ici.
media-too-slow = La lecture du fichier a pris plus de { $seconds } s et a été abandonnée.
media-lost = Le fichier n'a pas pu être lu. { $problem }
media-needs-ffmpeg = Sons et vidéos ne peuvent pas être convertis ici pour l'instant : il faut ffmpeg, fourni avec l'extra [embedded].
media-no-conversion = Un fichier de type { $source } ne peut pas devenir { $target }.
media-no-such-stream = Le fichier n'a pas de son ou pas d'image à en extraire.
media-cannot-shrink = Le fichier ne peut pas être réduit à moins de { $limit } Mo.
media-sheet-too-large = La feuille « { $sheet } » dépasse { $rows } lignes ou { $cells } cellules.
media-no-pages = « { $file } » n’a pas de pages utilisables ; seuls les PDF et les images en ont.
media-too-many-pages = Le PDF a { $pages } pages ; { $limit } au plus sont possibles.
media-encoding-unknown = L’encodage de ce texte n’est pas certain. Enregistre-le en UTF-8 et envoie-le de nouveau.
parts-unread = Non lu : { $parts }.
unused-pictures = { $count ->
        [one] une image
       *[other] { $count } images
    }
unused-charts = { $count ->
        [one] un graphique
       *[other] { $count } graphiques
    }
unused-comments = les commentaires
unused-macros = les macros
unused-attachments = { $count ->
        [one] un fichier joint
       *[other] { $count } fichiers joints
    }
unused-mail-files = { $count ->
        [one] une pièce jointe
       *[other] { $count } pièces jointes
    } ({ $names })
rows-cut = Seules les { $read } premières lignes sur { $rows } ont été utilisées.
formulas-calculated = { $count ->
        [one] Une formule sans résultat enregistré a été calculée
       *[other] { $count } formules sans résultat enregistré ont été calculées
    } ici.
formulas-unknown = { $count ->
        [one] Une formule n’a pas de résultat enregistré et a été lue
       *[other] { $count } formules n’ont pas de résultat enregistré et ont été lues
    } comme vide. Ouvre le fichier dans Excel ou LibreOffice, enregistre-le et envoie-le de nouveau.
media-no-table = Il n’y a pas de tableau dans ce fichier.
media-old-office = Les fichiers Word, PowerPoint et Outlook d’avant 2007 ne sont pas pris en charge. Enregistre-le en docx, pptx ou PDF.
media-rich-text = Les fichiers RTF ne sont pas pris en charge. Enregistre-le en docx ou PDF.
unused-and = { $one }, { $more }
notes-together = { $one } { $more }
