# The answer that is written without a language model.
respond-label = Lo más probable: { $label }.
respond-also = Menos probable: { $labels }.
respond-alike = Se parecen en un { $percent } %.
respond-source = **{ $value }** ({ $source })
respond-things = Encontré { $things }.
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
respond-failed = «{ $kind }» no funcionó: { $reason }
respond-none = { $kind }: { $reason }
respond-skipped = «{ $kind }» se omitió, porque no funcionó un paso necesario: «{ $because }».
respond-stopped = «{ $kind }» se detuvo.
respond-unused = Se omitió porque { $model } no lo admite: { $names }.
listed = { $names }, { $name }
respond-nothing = No pude hacerlo.
compared-first = **A** · { $model } (antes)
compared-second = **B** · { $model } (nuevo)
label-per = persona
label-person = persona
label-org = organización
label-organization = organización
label-loc = lugar
label-gpe = lugar
label-location = lugar
label-misc = nombre
# What was changed in an answer.
history-unread = No pude leer a tiempo los mensajes anteriores.
check-struck =
    { $count ->
        [one] Se quitó de esta respuesta un enlace o nombre de archivo que no está en los resultados.
       *[other] Se quitaron de esta respuesta { $count } enlaces o nombres de archivo que no están en los resultados.
    }
answer-cut = La respuesta superaba los { $count } caracteres y se recortó.
answer-unfinished = Este texto no está completo: el modelo se detuvo antes de tiempo. Para el resto, escribe «sigue».
# Moods as experts for voices shorten them.
label-ang = enfadado
label-hap = contento
label-neu = neutro
label-fea = asustado
label-dis = asqueado
label-sur = sorprendido
label-exc = entusiasmado
label-fru = frustrado
