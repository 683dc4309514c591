# Kinds of tasks as people speak of them, in the middle of a sentence. A sentence's argument that is the name of a kind is said like this.
kind-text-classification = juger le ton ou la classe d'un texte
kind-token-classification = trouver des noms et des lieux dans un texte
kind-text2text-generation = réécrire un texte
kind-summarization = résumer
kind-translation = traduire
kind-question-answering = répondre à une question sur un texte
kind-conversational = discuter
kind-text-generation = écrire un texte
kind-fill-mask = compléter un mot manquant dans un texte
kind-feature-extraction = calculer l'embedding d'un texte
kind-sentence-similarity = comparer des textes
kind-zero-shot-classification = classer un texte selon des étiquettes données
kind-tabular-classification = prédire des classes dans un tableau
kind-tabular-regression = prédire des nombres dans un tableau
kind-table-question-answering = répondre à une question sur un tableau
kind-image-to-text = décrire une image
kind-text-to-image = créer une image à partir de mots
kind-visual-question-answering = répondre à une question sur une image
kind-image-classification = classer une image
kind-zero-shot-image-classification = classer une image selon des étiquettes données
kind-object-detection = trouver des choses dans une image
kind-zero-shot-object-detection = trouver certaines choses dans une image
kind-image-segmentation = diviser une image en zones nommées
kind-mask-generation = diviser une image en zones
kind-depth-estimation = estimer la profondeur dans une image
kind-image-to-image = changer l'aspect d'une image
kind-image-text-to-image = changer des choses dans une image
kind-optical-character-recognition = lire le texte d'une image
kind-document-question-answering = répondre à une question sur un document
kind-document-to-text = extraire le texte d'un document
kind-automatic-speech-recognition = transcrire ce qui est dit
kind-text-to-speech = lire à voix haute
kind-audio-classification = classer un son
kind-audio-to-audio = nettoyer ou séparer un son
kind-text-to-video = créer un film à partir de mots
kind-image-to-video = mettre une image en mouvement
kind-video-classification = classer un film
kind-media-conversion = couper ou convertir un fichier
kind-document-conversion = séparer, fusionner ou tourner des pages
kind-table-conversion = trier, filtrer ou convertir un tableau
kind-table-to-chart = tracer un graphique à partir d’un tableau
kind-canny-control = tracer les contours d'une image
kind-hed-control = tracer les contours doux d'une image
kind-mlsd-control = tracer les lignes droites d'une image
kind-normal-control = estimer les surfaces d'une image
kind-openpose-control = trouver la pose dans une image
kind-scribble-control = faire un gribouillage d'une image
kind-depth-control = estimer la profondeur d'une image
kind-seg-control = diviser une image en segments
kind-canny-text-to-image = créer une image selon des contours donnés
kind-hed-text-to-image = créer une image selon des contours doux
kind-mlsd-text-to-image = créer une image selon des lignes droites
kind-normal-text-to-image = créer une image avec des surfaces données
kind-openpose-text-to-image = créer une image dans une pose donnée
kind-scribble-text-to-image = créer une image à partir d'un gribouillage
kind-depth-text-to-image = créer une image avec une profondeur donnée
kind-seg-text-to-image = créer une image à partir de segments
medium = { $type ->
    [image] Images
    [audio] Son
    [video] Vidéo
    [document] Documents
    [table] Tableaux
   *[other] Textes
}
