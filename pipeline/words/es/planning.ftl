# Reading a plan: what was changed in it and what was left out, told to the person and to the one who wrote it.
plan-invalid-step = Se omitió el paso { $step } porque no se pudo leer ({ $problem }).
plan-unknown-task = No hay ningún tipo de tarea llamado «{ $name }», así que ese paso quedó fuera.
plan-not-here = { $kind } no es posible aquí.
plan-needs-dropped = { $kind } quedó fuera, porque necesita un paso que quedó fuera.
plan-missing = { $kind } quedó fuera: nada dice cuál es su { $slot }.
plan-too-long =
    { $count ->
        [one] Un paso quedó fuera: un plan tiene como máximo { $most } tareas.
       *[other] { $count } pasos quedaron fuera: un plan tiene como máximo { $most } tareas.
    }
plan-too-many = { $kind }: solo se tomaron los primeros { $most } de { $count } archivos.
plan-cut-short = El plan se cortó; solo se tomaron los pasos completos.
plan-filled-file = { $kind } no indicaba { $slot }; toma { $file }.
plan-filled-output = { $kind } no indicaba { $slot }; toma el resultado de { $source }.
plan-filled-request = { $kind } no indicaba { $slot }; toma las palabras del mensaje.
plan-reference-dropped = { $kind } se refería a un paso que no existe o que depende de ello ({ $label }); eso quedó fuera.
plan-reference-unfit = { $kind } no puede usar el resultado de { $source } como { $slot }; eso quedó fuera.
plan-inserted = { $inserted } se añadió antes de { $kind }.
plan-unfolded = { $kind } se hizo { $count } veces, una por archivo.
plan-order-dropped = { $kind } debía esperar a un paso que no existe o que a su vez lo espera; no espera.
plan-unknown-file = { $kind }: no hay ningún archivo llamado «{ $file }».
plan-url = { $kind }: no se aceptan direcciones de archivos; envía el archivo mismo.
plan-extra = { $kind } no puede usar «{ $extra }»; eso quedó fuera.
plan-parameter-unread = { $kind }: «{ $value }» no se puede usar ({ $parameter }) y se omitió.
plan-parameter-bounded = { $kind }: { $parameter } es { $value }, el valor permitido más cercano.
parameter =
    { $name ->
        [size] tamaño
        [aspect_ratio] relación de aspecto
        [count] número de imágenes
        [seed] semilla
        [negative_prompt] prompt negativo
        [guidance_scale] guidance
        [duration] duración en segundos
        [voice] voz
       *[image] las demás imágenes
    }
plan-empty = No contiene ni tarea ni respuesta.
plan-unusable = No se pudo hacer un plan: { $errors }
plan-corrected = El plan se corrigió; ya no está en él: { $kind }.
plan-request-cut = El mensaje es demasiado largo para el modelo de lenguaje; se leyó sin su parte central.
plan-remark = { $text }
plan-not-continued = No pude seguir planificando: { $reason }
plan-room-too-small = { $model } solo tiene { $room } tokens de contexto; para planificar hacen falta { $least }.
left-thread = De acuerdo, en este hilo solo responderé si me mencionan. Un administrador puede fijarlo para todo el canal: mencionarme con `settings mention always`.
