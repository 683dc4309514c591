# Kinds of tasks as people speak of them, in the middle of a sentence. A sentence's argument that is the name of a kind is said like this.
kind-text-classification = juzgar el tono o la clase de un texto
kind-token-classification = encontrar nombres y lugares en un texto
kind-text2text-generation = reescribir un texto
kind-summarization = resumir
kind-translation = traducir
kind-question-answering = responder a una pregunta sobre un texto
kind-conversational = conversar
kind-text-generation = escribir un texto
kind-fill-mask = rellenar un hueco en un texto
kind-feature-extraction = calcular el embedding de un texto
kind-sentence-similarity = comparar textos
kind-zero-shot-classification = clasificar un texto con las etiquetas dadas
kind-tabular-classification = predecir clases en una tabla
kind-tabular-regression = predecir números en una tabla
kind-table-question-answering = responder a una pregunta sobre una tabla
kind-image-to-text = describir una imagen
kind-text-to-image = crear una imagen a partir de palabras
kind-visual-question-answering = responder a una pregunta sobre una imagen
kind-image-classification = clasificar una imagen
kind-zero-shot-image-classification = clasificar una imagen con las etiquetas dadas
kind-object-detection = encontrar cosas en una imagen
kind-zero-shot-object-detection = encontrar ciertas cosas en una imagen
kind-image-segmentation = dividir una imagen en zonas con nombre
kind-mask-generation = dividir una imagen en zonas
kind-depth-estimation = estimar la profundidad en una imagen
kind-image-to-image = cambiar el aspecto de una imagen
kind-image-text-to-image = cambiar cosas en una imagen
kind-optical-character-recognition = leer el texto de una imagen
kind-document-question-answering = responder a una pregunta sobre un documento
kind-document-to-text = extraer el texto de un documento
kind-automatic-speech-recognition = transcribir lo que se dice
kind-text-to-speech = leer en voz alta
kind-audio-classification = clasificar un sonido
kind-audio-to-audio = limpiar o separar un sonido
kind-text-to-video = crear un vídeo a partir de palabras
kind-image-to-video = poner una imagen en movimiento
kind-video-classification = clasificar un vídeo
kind-media-conversion = cortar o convertir un archivo
kind-document-conversion = dividir, unir o girar páginas
kind-table-conversion = ordenar, filtrar o convertir una tabla
kind-table-to-chart = dibujar un gráfico a partir de una tabla
kind-canny-control = dibujar los bordes de una imagen
kind-hed-control = dibujar los bordes suaves de una imagen
kind-mlsd-control = dibujar las líneas rectas de una imagen
kind-normal-control = estimar las superficies de una imagen
kind-openpose-control = encontrar la pose en una imagen
kind-scribble-control = convertir una imagen en un garabato
kind-depth-control = estimar la profundidad de una imagen
kind-seg-control = dividir una imagen en segmentos
kind-canny-text-to-image = crear una imagen siguiendo bordes dados
kind-hed-text-to-image = crear una imagen siguiendo bordes suaves
kind-mlsd-text-to-image = crear una imagen siguiendo líneas rectas
kind-normal-text-to-image = crear una imagen con superficies dadas
kind-openpose-text-to-image = crear una imagen con una pose dada
kind-scribble-text-to-image = crear una imagen a partir de un garabato
kind-depth-text-to-image = crear una imagen con una profundidad dada
kind-seg-text-to-image = crear una imagen a partir de segmentos
medium = { $type ->
    [image] Imágenes
    [audio] Sonido
    [video] Vídeo
    [document] Documentos
    [table] Tablas
   *[other] Textos
}
