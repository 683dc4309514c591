# What a run looks like while it is under way, and the buttons under it.
progress-thinking = Pensando cómo hacerlo …
progress-working =
    { $all ->
        [one] En ello
       *[other] En ello: { $done } de { $all } pasos hechos
    }
progress-ended =
    { $all ->
        [one] { $done } de 1 paso hecho
       *[other] { $done } de { $all } pasos hechos
    }
progress-queued = en cola, { $place }
progress-took = { $seconds } s
taken-earlier = tomado de antes
taken-task = tomado de la tarea { $task }, que hace lo mismo
taken-made = tomado de antes, hecho entonces en { $seconds } s
estimate-seconds = unos { $seconds } s
estimate-minutes = { $minutes ->
    [one] alrededor de un minuto
   *[other] unos { $minutes } minutos
  }
estimate-cost = unos { $dollars } dólares por los pasos
estimate-cost-small = menos de 1 centavo de dólar por los pasos
estimate-both = { $time }, { $cost }
button-stop = Detener
button-retry = Reintentar
button-another = Otro modelo
button-details = Detalles
button-up = 👍
button-down = 👎
run-ended = { $who } He terminado.
vote-up = Buena respuesta
vote-down = Mala respuesta
button-choose = Otro modelo para un paso
button-first = A es mejor
button-second = B es mejor
files-too-large = Estos archivos son demasiado grandes para mostrarlos aquí:
file-left-out = Hubo que dejar fuera { $file }.
