# Kinds of tasks as people speak of them, in the middle of a sentence. A sentence's argument that is the name of a kind is said like this.
kind-text-classification = judging the mood or class of a text
kind-token-classification = finding names and places in a text
kind-text2text-generation = rewriting a text
kind-summarization = summarising
kind-translation = translating
kind-question-answering = answering a question about a text
kind-conversational = talking
kind-text-generation = writing a text
kind-fill-mask = filling a gap in a text
kind-feature-extraction = computing the embedding of a text
kind-sentence-similarity = comparing texts
kind-zero-shot-classification = sorting a text by given labels
kind-tabular-classification = predicting classes in a table
kind-tabular-regression = predicting numbers in a table
kind-table-question-answering = answering a question about a table
kind-image-to-text = describing a picture
kind-text-to-image = making a picture from words
kind-visual-question-answering = answering a question about a picture
kind-image-classification = classifying a picture
kind-zero-shot-image-classification = sorting a picture by given labels
kind-object-detection = finding things in a picture
kind-zero-shot-object-detection = finding named things in a picture
kind-image-segmentation = dividing a picture into named regions
kind-mask-generation = dividing a picture into regions
kind-depth-estimation = estimating the depth in a picture
kind-image-to-image = changing the look of a picture
kind-image-text-to-image = changing things in a picture
kind-optical-character-recognition = reading the text in a picture
kind-document-question-answering = answering a question about a document
kind-document-to-text = extracting the text of a document
kind-automatic-speech-recognition = transcribing speech
kind-text-to-speech = reading aloud
kind-audio-classification = classifying a sound
kind-audio-to-audio = cleaning or separating a sound
kind-text-to-video = making a video from words
kind-image-to-video = animating a picture
kind-video-classification = classifying a video
kind-media-conversion = cutting or converting a file
kind-document-conversion = splitting, joining or turning pages
kind-table-conversion = sorting, filtering or converting a table
kind-table-to-chart = drawing a chart from a table
kind-canny-control = drawing the edges of a picture
kind-hed-control = drawing the soft edges of a picture
kind-mlsd-control = drawing the straight lines of a picture
kind-normal-control = estimating the surfaces in a picture
kind-openpose-control = finding the pose in a picture
kind-scribble-control = making a scribble of a picture
kind-depth-control = estimating the depth of a picture
kind-seg-control = dividing a picture into segments
kind-canny-text-to-image = making a picture along given edges
kind-hed-text-to-image = making a picture along soft edges
kind-mlsd-text-to-image = making a picture along straight lines
kind-normal-text-to-image = making a picture with given surfaces
kind-openpose-text-to-image = making a picture in a given pose
kind-scribble-text-to-image = making a picture from a scribble
kind-depth-text-to-image = making a picture with a given depth
kind-seg-text-to-image = making a picture from segments
medium = { $type ->
    [image] Pictures
    [audio] Sound
    [video] Video
    [document] Documents
    [table] Tables
   *[other] Text
}
