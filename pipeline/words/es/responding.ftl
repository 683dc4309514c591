# The answer that is written without a language model.
respond-found = { $found }
respond-found-sure = { $found } (muy seguro)
respond-found-fairly = { $found } (bastante seguro)
respond-found-unsure = { $found } (no seguro)
respond-found-nothing = No se encontró nada.
respond-made-image =
    { $count ->
        [one] Aquí tienes la imagen.
       *[other] Aquí tienes las { $count } imágenes.
    }
respond-made-audio =
    { $count ->
        [one] Aquí tienes la grabación.
       *[other] Aquí tienes las { $count } grabaciones.
    }
respond-made-video =
    { $count ->
        [one] Aquí tienes el vídeo.
       *[other] Aquí tienes los { $count } vídeos.
    }
respond-made-document =
    { $count ->
        [one] Aquí tienes el documento.
       *[other] Aquí tienes los { $count } documentos.
    }
respond-made-table =
    { $count ->
        [one] Aquí tienes la tabla.
       *[other] Aquí tienes las { $count } tablas.
    }
respond-failed = { $kind } no salió bien: { $reason }
respond-skipped = { $kind } no se empezó, porque no salió bien { $because }.
respond-stopped = { $kind } se detuvo.
respond-how = Cómo: { $steps }.
respond-step = { $model } ({ $place }) para { $kind }
respond-nothing = No se hizo nada.
