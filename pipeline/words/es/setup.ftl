# La configuración por quien administra el programa, y lo que la página ofrece para empezar.
setup-not-here = Esto solo funciona para quien administra Troupe, en un navegador de la misma máquina.
setup-too-often = Se ha intentado muchas veces en poco tiempo. Espera un minuto y vuelve a intentarlo.
setup-key-missing = Pega primero una clave.
setup-odd-key = Esto no puede ser una clave ni un token: son una sola palabra de al menos ocho letras, cifras y signos, sin espacios.
setup-too-long = Esto es demasiado largo.
setup-whose-key = Por la clave no se reconoce para qué servicio es. Elige el servicio.
setup-address-missing = Escribe la dirección del servidor, por ejemplo https://example.com/v1.
setup-slack-bot-token = El token del bot empieza por xoxb-. Slack lo muestra en «Install App», después de instalar la aplicación.
setup-slack-app-token = El token de la aplicación empieza por xapp-. Slack lo crea en «Basic Information», «App-Level Tokens».
setup-replicas = Otro Troupe trabaja con la misma base de datos, y .env solo cuenta para esta máquina. Cambia los ajustes donde se inicia cada uno.
setup-in-environment = { $names } está definido en el entorno, que cuenta más que el archivo .env. Cámbialo donde se inicia Troupe.
setup-in-toml = { $names } está definido en troupe.toml y habría que quitarlo allí.
setup-unwritten = Todo se ha comprobado y funciona, pero no se ha guardado nada. { $problem } Añade estas líneas a { $file } y reinicia Troupe: { $lines }
setup-file-away = No se puede leer o escribir { $file }: { $problem }.
setup-unreadable-value = { $name } no se puede escribir en .env: el valor tiene signos que se leerían de otra manera.
setup-nothing-to-undo = No hay nada que deshacer.
setup-put-back = Con los nuevos ajustes no se ha podido iniciar, así que vuelven a valer los anteriores. { $problem }
setup-llm-on = { $model } planifica y responde. { $sees ->
    [yes] Ve imágenes.
   *[no] No ve imágenes.
  }
setup-llm-off = Ningún modelo de lenguaje: el planificador incorporado entiende peticiones sencillas, pero no puede conversar, escribir ni traducir.
setup-llm-closed = TROUPE_CONTROLLER está en off: ningún modelo de lenguaje planifica.
setup-hosted-on = Se pueden usar modelos de Hugging Face.
setup-hosted-off = Ningún token de Hugging Face: no se pueden usar sus modelos.
setup-local-on = Hay modelos en esta máquina, en { $address }.
setup-local-none = Todo lo necesario para modelos en esta máquina está instalado, pero aún no hay ningún modelo.
setup-local-off = No hay modelos en esta máquina.
setup-slack-on = Slack está conectado.
setup-slack-off = Slack no está conectado.
setup-discord-on = Discord está conectado.
setup-discord-off = Discord no está conectado.
start-draw = Pedir un dibujo
start-draw-text = Dibuja un faro al anochecer, en acuarela
start-poem = Pedir un poema y escucharlo
start-poem-text = Escribe un poema de cuatro versos sobre el mar y léelo en voz alta
start-invoice = Escuchar una factura
start-invoice-text = Lee en voz alta el total de esta factura
start-look = Pedir la descripción de una imagen
start-look-text = ¿Qué hay en esta imagen?
start-translate = Traducir algo
start-translate-text = Traduce al francés y al japonés: «A quien madruga, Dios le ayuda.»
start-sketch = Convertir una imagen en un dibujo a lápiz
start-sketch-text = Convierte esta imagen en un dibujo a lápiz
start-mood = Averiguar cómo suena una reseña
start-mood-text = ¿Qué sentimiento expresa esta reseña? «La habitación era preciosa y el desayuno aún mejor, pero tardamos una hora en registrarnos.»
setup-too-slow = Con los nuevos ajustes, el inicio tardó demasiado.
setup-needs-key = Un token de Hugging Face o una clave para un modelo de lenguaje.
setup-needs-hub = Un token de Hugging Face o modelos en esta máquina.
setup-needs-local = Modelos en esta máquina.
setup-sharing-on = Las conversaciones de la página se pueden compartir con un enlace.
setup-sharing-off = Las conversaciones de la página no se pueden compartir.
setup-mend-key = Comprueba la clave y la cuenta en el servicio y vuelve a pegar la clave.
setup-mend-address = Escribe { $value } como dirección.
setup-mend-model = { $named ->
    [true] Elige el modelo { $value } u otro que tenga el servidor.
   *[false] Elige un modelo que tenga el servidor.
  }
setup-mend-blind = No se le envían imágenes.
