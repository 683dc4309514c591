# Files that are fetched from a URL.
fetch-not-http = Solo se pueden descargar direcciones http y https.
fetch-with-password = La dirección en { $host } lleva un nombre o una contraseña; esas direcciones no se descargan.
fetch-unsafe-address = { $host } no es una dirección pública de Internet, así que no se descarga nada de ahí.
fetch-host-not-allowed = No se descarga nada de { $host }: no está en la lista de servidores de esta instalación (TROUPE_FETCH_HOSTS).
fetch-port-not-allowed = No se descarga nada de { $host } por el puerto { $port }.
fetch-too-many-redirects = { $host } me envió sin fin de una dirección a otra.
fetch-downgrade = { $host } quiso enviarme a otro sitio por una conexión sin protección.
fetch-status = { $status ->
    [401] { $host } pide iniciar sesión para este archivo.
    [403] { $host } no me da acceso a este archivo.
    [404] No existe ese archivo en { $host }.
    [410] El archivo ya no está en { $host }.
    [429] { $host } recibe demasiadas peticiones ahora.
   *[other] { $host } no entregó el archivo (estado { $status }).
  }
fetch-too-large = El archivo en { $host } ocupa más de { $limit } MB.
fetch-too-slow = { $host } tardó demasiado en enviar el archivo.
fetch-unreachable = No se pudo contactar con { $host }, o se cortó al enviar el archivo.
fetch-encoding = { $host } envió el archivo comprimido de una forma que no descomprimo.
