# The answer that is written without a language model.
respond-sure = Estoy muy seguro de ello.
respond-fairly = Estoy bastante seguro de ello.
respond-unsure = No estoy seguro de ello; conviene comprobarlo.
respond-is = { $subject } es { $found }
respond-label = Lo más probable: { $label }.
respond-also = Menos probable: { $labels }.
respond-alike = Se parecen en un { $percent } %.
respond-things = Encontré { $things }.
respond-and = { $most } y { $last }
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
respond-which = { $kind } ({ $what })
respond-failed = { $kind } no salió bien: { $reason }
respond-none = { $kind }: { $reason }
respond-skipped = { $kind } no se empezó, porque no salió bien { $because }.
respond-stopped = { $kind } se detuvo.
respond-how = Cómo: { $steps }.
respond-step = { $model } ({ $place ->
    [embedded] integrado
    [llm] modelo de lenguaje
    [local] servidor propio
    [hosted] en la nube
   *[other] { $place }
 }) para { $kind }
respond-nothing = No se hizo nada.
respond-entity-per = persona
respond-entity-org = organización
respond-entity-loc = lugar
respond-entity-misc = nombre
