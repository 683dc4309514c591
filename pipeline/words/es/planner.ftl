# The built-in planner: plain talk, and one short question instead of a guess.
planner-hello = ¡Hola! Envíame un archivo o un texto y dime qué quieres que haga con él.
planner-welcome = ¡De nada!
planner-about = Planifico pasos para modelos de IA y los ejecuto con imágenes, grabaciones, vídeos, documentos, tablas y textos. Envía un archivo y dime qué quieres, por ejemplo «¿Qué dice?». El comando «tasks» muestra qué funciona aquí. Sin un modelo de lenguaje entiendo peticiones, pero no puedo charlar.
planner-no-talk = Sin un modelo de lenguaje no puedo charlar ni responder preguntas generales. Trabajo con imágenes, grabaciones, vídeos, documentos, tablas y textos: el comando «tasks» muestra lo que sé hacer.
planner-turn-on = Puedes activar un modelo de lenguaje: [Hacer más](#/setup).
planner-outside = Eso no puedo hacerlo. Trabajo con imágenes, grabaciones, vídeos, documentos, tablas y textos: el comando «tasks» muestra lo que sé hacer.
planner-not-done = No hecho: «{ $words }». Eso no puedo hacerlo.
planner-empty = Ese mensaje no contiene nada. Dime qué quieres, con un archivo si se trata de uno.
planner-empty-with-files = ¿Qué quieres que haga con eso?
planner-unsure = No sé bien qué quieres que haga. ¿Puedes decirlo con otras palabras?
planner-unread = Sin un modelo de lenguaje entiendo español, inglés, alemán, francés, japonés y chino. ¿Puedes decirlo en uno de ellos?
planner-unsure-files = No sé bien qué quieres que haga con eso. ¿Puedes decirlo con otras palabras?
planner-unsure-order = ¿En qué orden: primero «{ $first }» y luego «{ $second }»? También puedo hacer solo una de las dos cosas.
planner-which = ¿Cuál quieres decir: { $names }?
planner-undo = Todas las versiones siguen aquí. Dime con qué archivo sigo, por ejemplo «el original».
planner-lacks-file =
    Para eso necesito { $type ->
        [image] una imagen
        [audio] una grabación
        [video] un vídeo
        [document] un documento
        [table] una tabla
       *[other] un archivo
    }. ¿Me lo puedes enviar?
planner-lacks-text =
    A tu mensaje le falta { $slot ->
        [question] la pregunta
        [labels] la lista de etiquetas
        [sentences] algo con lo que comparar
        [language] el idioma
       *[other] el texto
    }. ¿Puedes añadirlo?
planner-absent-name = Aquí no veo ningún archivo «{ $name }». ¿Me lo puedes enviar?
planner-no-file-usable =
    { $count ->
        [one] No pude usar el archivo que enviaste, así que no hice nada. ¿Puedes enviarlo otra vez, o enviar otro?
       *[other] No pude usar ninguno de los archivos que enviaste, así que no hice nada. ¿Puedes enviarlos otra vez, o enviar otros?
    }
