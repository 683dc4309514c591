# Worker processes, and files that cannot be read, converted or made smaller.
worker-lost = El programa que trabajaba en esto se cerró de golpe.
worker-out-of-memory = Esto necesitaba más memoria de la que un trabajo puede usar aquí.
media-empty = El archivo está vacío (0 bytes).
media-blank = En el archivo solo hay espacios en blanco.
media-too-large = El archivo ocupa { $size } MB; puedo leer como máximo { $limit } MB.
media-broken = El archivo está dañado o incompleto y no se puede leer ({ $kind }).
media-mislabelled = Su nombre termina en { $ending }, pero dentro hay { $found }.
media-is-page = una página web
media-is-text = texto
media-too-many-pixels = La imagen tiene { $size } píxeles; aquí se leen como máximo { $limit } megapíxeles.
media-too-many-frames = La animación tiene { $frames } fotogramas; aquí se leen como máximo { $limit }.
media-bomb = El archivo ocuparía { $size } MB al descomprimirse; aquí no se abren archivos así.
media-encrypted = El archivo está bloqueado con una contraseña. Envíalo sin ella.
media-archive = Aquí no se abren archivos comprimidos. Envía uno por uno los que contiene.
media-unknown = Aquí no se pueden leer archivos de este tipo.
media-too-slow = Leer el archivo llevó más de { $seconds } s y se abandonó.
media-lost = No se pudo leer el archivo. { $problem }
media-needs-ffmpeg = Ahora no se pueden convertir sonidos ni vídeos aquí: hace falta ffmpeg, que viene con el extra [embedded].
media-no-conversion = Un archivo de tipo { $source } no se puede convertir en { $target }.
media-no-such-stream = El archivo no tiene sonido o imagen que se pueda extraer.
media-cannot-shrink = No se puede reducir el archivo por debajo de { $limit } MB.
media-sheet-too-large = La hoja «{ $sheet }» tiene más de { $rows } filas o { $cells } celdas.
media-no-pages = «{ $file }» no tiene páginas con las que trabajar; solo las tienen los PDF y las imágenes.
media-too-many-pages = El PDF tiene { $pages } páginas; como máximo son posibles { $limit }.
media-encoding-unknown = No es seguro en qué codificación está escrito este texto. Guárdalo como UTF-8 y envíalo de nuevo.
parts-unread = No leído: { $parts }.
unused-pictures = { $count ->
        [one] una imagen
       *[other] { $count } imágenes
    }
unused-charts = { $count ->
        [one] un gráfico
       *[other] { $count } gráficos
    }
unused-comments = comentarios
unused-macros = macros
unused-attachments = { $count ->
        [one] un archivo adjunto
       *[other] { $count } archivos adjuntos
    }
unused-mail-files = { $count ->
        [one] un adjunto
       *[other] { $count } adjuntos
    } ({ $names })
rows-cut = Solo se usaron las primeras { $read } de { $rows } filas.
formulas-calculated = { $count ->
        [one] Una fórmula sin resultado guardado se calculó
       *[other] { $count } fórmulas sin resultado guardado se calcularon
    } aquí.
formulas-unknown = { $count ->
        [one] Una fórmula no tiene resultado guardado y se leyó
       *[other] { $count } fórmulas no tienen resultado guardado y se leyeron
    } como vacía. Abre el archivo en Excel o LibreOffice, guárdalo y envíalo de nuevo.
media-no-table = No hay ninguna tabla en este archivo.
media-old-office = Los archivos de Word, PowerPoint y Outlook anteriores a 2007 no se admiten. Guárdalo como docx, pptx o PDF.
media-rich-text = Los archivos RTF no se admiten. Guárdalo como docx o PDF.
unused-and = { $one }, { $more }
notes-together = { $one } { $more }
