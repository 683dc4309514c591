# Experts: what went wrong with one.
expert-loading = { $model } aún se está cargando.
expert-busy = { $model } está sobrecargado en este momento.
expert-broken = { $model } falló (estado { $status }).
expert-unreachable = No se pudo contactar con { $model }.
expert-key-refused = Se rechazó la clave de acceso para { $model }.
expert-credit-used-up = Se agotó el crédito de la cuenta para { $model }.
expert-access-refused = Esta cuenta no puede usar { $model }; quizá haya que aceptar antes su licencia.
expert-model-gone = { $model } ya no existe allí.
expert-input-refused = { $model } rechazó esta entrada.
expert-garbled = { $model } envió una respuesta ilegible.
expert-answer-too-large = { $model } envió más de { $megabytes } MB, y no se aceptó.
expert-not-on-the-wire = Los modelos para { $kind } no se usan a través de la red.
expert-input-type = { $model } no acepta este tipo de archivo para { $kind }.
expert-input-missing = { $kind }: falta «{ $slot }».
expert-one-sentence = Para comparar hacen falta al menos dos textos.
expert-table-unfit = La tabla está vacía o tiene más de { $cells } celdas.
local-language-unknown = El modelo { $model } no conoce el idioma { $language }.

# Embedded experts: what they say about their own results, and why they could not do something.
embedded-nothing-said = No había ningún texto.
embedded-no-file = No había ningún archivo.
embedded-file-type = Este tipo de archivo no es compatible aquí.
embedded-spoken = Leído por una voz robótica ({ $language }).
embedded-spoken-cut = Solo se leyeron los primeros { $characters } caracteres.
embedded-spoke-nothing = En este texto no hay nada que se pueda pronunciar.
embedded-no-voice = No hay voz integrada para «{ $language }».
embedded-voice-unable = La voz de { $language } no puede leer estos caracteres: { $characters }
embedded-picture-too-large = La imagen tiene demasiados píxeles.
embedded-picture-unreadable = No se puede abrir la imagen.
embedded-no-text = No se encontró ningún texto.
embedded-read-badly = Costó leerlo, así que puede haber partes equivocadas.
embedded-document-empty = El documento está vacío.
embedded-document-cut = Solo se tomaron los primeros { $characters } caracteres.
embedded-document-broken = El documento está dañado y no se puede leer.
embedded-document-too-large = El documento es demasiado grande.
embedded-document-unknown = Aquí no se puede leer este tipo de documento; PDF, Word (docx), PowerPoint (pptx), OpenDocument, EPUB, correo, calendarios, hojas de cálculo, HTML, CSV y texto sin formato sí.
embedded-pdf-locked = El PDF está protegido con una contraseña.
embedded-pdf-broken = El PDF está dañado y no se puede leer.
embedded-pages-cut = Tiene { $pages } páginas; se leyeron las primeras { $read }.
embedded-pages-scanned = { $pages ->
    [one] Una página escaneada se leyó
   *[other] { $pages } páginas escaneadas se leyeron
 } con reconocimiento de texto, que puede cometer errores.
embedded-columns-mixed = El texto en columnas puede estar mezclado.
embedded-scans-left = { $pages ->
    [one] Quedó fuera una página escaneada más.
   *[other] Quedaron fuera { $pages } páginas escaneadas más.
 }
embedded-table-empty = La tabla no tiene filas.
embedded-no-answer = Nada en el texto encaja con la pregunta.
embedded-answer-line = de la línea «{ $line }»
embedded-says = El archivo dice: «{ $line }»
embedded-says-part = El archivo dice: «{ $line }». No encontré nada sobre «{ $words }».
embedded-closest = No veo una respuesta clara. Las líneas más cercanas: { $lines }
embedded-part = { $question } → { $answer }
embedded-part-refused = { $question } → sin respuesta: { $answer }
embedded-table-grouped = { $operation }, por cada `{ $group }`
embedded-table-operation =
    { $op ->
        [sum] suma de `{ $column }`
        [mean] promedio de `{ $column }`
        [median] mediana de `{ $column }`
        [max] valor más alto de `{ $column }`
        [min] valor más bajo de `{ $column }`
        [distinct] número de `{ $column }` distintos
        [lookup] `{ $column }`
       *[count] número de filas
    }{ $where ->
        [none] , { $rows ->
            [one] 1 fila
           *[other] { $rows } filas
        }
       *[other] , { $rows ->
            [one] 1 fila
           *[other] { $rows } filas
        } donde { $where }
    }
embedded-table-unclear = No puedo responder con esta tabla: no entiendo «{ $words }». Las columnas son: { $columns }.
embedded-table-which-column = No puedo responder con esta tabla. Nombra una columna. Las columnas son: { $columns }.
embedded-table-not-numbers = No puedo calcular con `{ $column }`: no todos los valores son números, o un número se puede leer de dos maneras (1.234).
embedded-table-several-rows = Hay { $rows } filas que encajan. Pide la suma, el promedio, el máximo o el mínimo de `{ $column }`, o nombra una fila.
embedded-table-beyond = No puedo responder con esta tabla. Puedo contar, sumar, promediar, agrupar y filtrar filas, y hallar el máximo o el mínimo. Las columnas son: { $columns }.
embedded-heard = Solo inglés; puede haber palabras equivocadas.
embedded-heard-partial = Se acabó el tiempo: esto son solo los primeros { $minutes } minutos.
embedded-gist = Las frases más reveladoras, tal como están.
embedded-summary = Hecho con las frases más reveladoras tal como están; no se ha reformulado nada.
embedded-summary-whole = demasiado corto para resumirlo, así que va entero
embedded-alike = se comparan las palabras, no el significado
embedded-sound-unreadable = No se puede leer la grabación.
embedded-nothing-heard = No se entendió ninguna palabra.
embedded-faces = { $count ->
    [0] No se encontró ninguna cara; aquí solo se buscan caras.
    [1] Se encontró una cara; aquí solo se buscan caras.
   *[other] Se encontraron { $count } caras; aquí solo se buscan caras.
 }
embedded-faces-only = Aquí solo puedo encontrar caras, no { $wanted }. Un administrador puede añadir un modelo que encuentre otras cosas.
embedded-no-filter = Ninguno de los filtros encaja. Hay: { $filters }. Para otros cambios, un administrador puede añadir un modelo.
embedded-whole-picture = Solo puedo cambiar la imagen entera, no una parte. Un administrador puede añadir un modelo para eso.
embedded-filtered = Filtro en toda la imagen: { $filters }.
embedded-filter =
    { $name ->
        [colour-pencil-sketch] dibujo a lápices de colores
        [pencil-sketch] dibujo a lápiz
        [cartoon] cómic
        [painting] pintura
        [black-and-white] blanco y negro
        [sepia] sepia
        [denoise] menos ruido
       *[blur] desenfoque
        [sharpen] nitidez
        [negative] negativo
        [upscale] doble tamaño
        [smooth] suavizado
        [brighter] más claro
        [darker] más oscuro
        [more-contrast] más contraste
    }
embedded-large-already = Aquí solo se amplían imágenes de hasta { $side } píxeles por lado.
embedded-english-only = Solo puedo juzgar el tono de textos en inglés.
embedded-mood = el tono de las palabras inglesas; no se reconoce la ironía
embedded-not-classes = La columna { $column } no contiene clases que se puedan aprender (al menos dos, cada una varias veces).
embedded-no-column = No hay ninguna columna { $column }. Las columnas son: { $columns }.
embedded-few-rows = Solo { $rows } filas tienen un valor conocido; para aprender hacen falta al menos { $needed }.
embedded-no-features = No hay otra columna de la que aprender.
embedded-classified = Acierta en el { $percent } % de { $rows } filas que no había visto; decir siempre la clase más común acertaría en el { $usual } %.
embedded-regressed = Se desvía { $off } de media en { $rows } filas que no había visto; R² { $explained }.
embedded-held-out = Columna predicha: { $column }. Las filas con valor conocido se predijeron sin ver ese valor. Huecos rellenados: { $filled }.
embedded-column-guessed = No indicaste ninguna columna; se usó la última ({ $column }).
embedded-can-files = Aquí se puede: cambiar el tamaño, recortar, girar, voltear, cortar de un momento a otro, cambiar la velocidad, sacar un fotograma o el sonido, comprimir o convertir a otro tipo.
embedded-converted =
    { $op ->
        [resize] Redimensionado para caber en { $one } píxeles.
        [scale] Escalado al { $percent } %.
        [crop] Recortado a { $one } píxeles.
        [aspect] Recortado al formato { $one }.
        [rotate] Girado { $one }° a la derecha.
        [flip] Reflejado.
        [keep] Conservado de { $one } s a { $two } s.
        [keep_end] Conservados los últimos { $one } s.
        [drop] Quitados los primeros { $one } s.
        [speed] Velocidad al { $percent } %.
        [type] Convertido a { $ending }.
        [poster] Tomado un fotograma.
        [sound] Tomado el sonido.
        [strip] Metadatos como el lugar y la cámara eliminados.
        [frames] Un fotograma cada { $one } s.
        [mute] Quitado el sonido.
        [louder] Subido el volumen.
        [quieter] Bajado el volumen.
       *[smaller] Comprimido.
    }
embedded-not-for-pictures = Eso solo funciona con grabaciones y vídeos, no con una imagen.
embedded-nothing-left = Después de cortar no quedó nada; quizá el archivo sea más corto.
embedded-no-sound = El vídeo no tiene sonido.
embedded-too-long = El archivo es demasiado largo.
embedded-film-unreadable = El archivo está dañado o su tipo no es compatible.
embedded-no-cleaning = No puedo hacer eso con un sonido. Puedo reducir el ruido constante o el zumbido, quitar la voz de música en estéreo, igualar la sonoridad y bajar o subir el tono. Un administrador puede añadir un modelo que haga más.
embedded-no-noise = Apenas hay ruido constante, así que no había nada que quitar.
embedded-not-stereo = Aquí la voz solo se puede quitar de una grabación en estéreo, y esta es igual en los dos lados.
embedded-sound-noise = Se ha bajado el ruido constante. Los ruidos repentinos, otras voces y el eco se quedan.
embedded-sound-hum = Se ha filtrado el zumbido eléctrico (50 y 60 Hz con sus armónicos).
embedded-sound-voice = Se ha quitado lo que está en el centro de la imagen estéreo, donde suelen estar las voces; pueden quedar restos de la voz, y la batería del centro se debilita.
embedded-sound-loudness = La sonoridad se ha ajustado a −16 LUFS, como es habitual para voz en la web.
embedded-sound-lower = El tono es cuatro semitonos más grave; es un filtro, no la voz de otra persona.
embedded-sound-higher = El tono es cuatro semitonos más agudo; es un filtro, no la voz de otra persona.
expert-job-failed = { $model } lo abandonó.
expert-result = { $model } hizo algo que no se pudo descargar: { $problem }
embedded-order-unclear = No entiendo «{ $words }», así que no se ha hecho nada. { $can }
embedded-order-empty = No he entendido qué hay que hacer. { $can }
embedded-can-pages = Con un PDF o imágenes puedo: unir, dividir, extraer o quitar páginas, girarlas, invertir su orden, comprimir, hacer imágenes de las páginas o un PDF a partir de imágenes.
embedded-can-tables = Con una tabla puedo: ordenarla, filtrar filas, conservar o quitar columnas y guardarla como CSV, Excel (xlsx) o JSON.
embedded-can-charts = A partir de una tabla puedo dibujar un gráfico de barras, de líneas, circular o de dispersión; nombra las columnas tal como están escritas.
embedded-pages-done =
    { $op ->
        [merged] Unido en un PDF de { $pages } páginas.
        [split] Dividido en { $files } archivos.
        [drawn] Páginas como imágenes: { $files }.
        [pictures] Imágenes extraídas: { $files }.
        [rotated] Páginas giradas.
        [dropped] Páginas quitadas.
        [reversed] El orden de las páginas está invertido.
        [smaller] Comprimido; sus imágenes son menos nítidas.
        [smaller-text] Comprimido.
        [cleaned] Metadatos como el autor y el programa eliminados.
       *[pages] Páginas extraídas.
    }
embedded-pages-missing = No existe la página { $page }: el documento tiene { $pages }.
embedded-pages-range = No puedo leer esos números de página.
embedded-pages-of-which = Primero une los documentos y luego nombra las páginas: no sé a qué documento se refieren.
embedded-quarter-turns = Las páginas de un PDF solo se pueden girar 90, 180 o 270 grados.
embedded-merge-one = Solo hay un documento. Para unir hacen falta al menos dos.
embedded-no-pictures = No hay imágenes en el documento.
embedded-nothing-left-of-pages = No quedaría ninguna página. Nombra las páginas que hay que quitar.
embedded-no-smaller = El PDF no se puede reducir de forma apreciable.
embedded-too-many-files = Serían { $files } archivos; como máximo son posibles { $limit }. Nombra menos páginas.
embedded-no-rows-fit = Ninguna fila cumple eso.
embedded-table-written = { $rows ->
        [one] Una fila
       *[other] { $rows } filas
    }{ $where ->
        [none] {""}
       *[other] {" "}{ $not ->
            [yes] sin
           *[no] con
        } { $where }
    }{ $sorted ->
        [none] {""}
       *[other] , ordenadas por { $sorted } ({ $order ->
            [descending] descendente
           *[ascending] ascendente
        })
    }, como { $ending }.
embedded-charted = { $op ->
        [sum] Suma de { $values } por { $over }
        [mean] Promedio de { $values } por { $over }
        [median] Mediana de { $values } por { $over }
        [count] Número de filas por { $over }
       *[other] { $values } según { $over }
    }, de { $rows } filas{ $where ->
        [none] .
       *[other] {" "}({ $where }).
    }
embedded-no-font = Algunos caracteres no se pueden dibujar aquí: no hay ninguna fuente instalada que los tenga.
embedded-chart-columns = No sé qué columnas dibujar. Nombra una con números y la de las etiquetas. Las columnas son: { $columns }.
embedded-chart-two-columns = Un gráfico de dispersión necesita dos columnas con números. Las columnas son: { $columns }.
embedded-chart-too-large = Es demasiado para un gráfico: como máximo { $series } columnas y { $places } etiquetas.
embedded-pie-slices = Un gráfico circular con { $slices } sectores no se puede leer; como máximo son posibles { $limit }.
embedded-pie-negative = Un gráfico circular necesita números positivos.
embedded-first-frame = La imagen tiene { $frames } fotogramas o páginas; solo se usó el primero.
