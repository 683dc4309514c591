# Lo que se cambió en una respuesta que decía más que los resultados de los modelos.
check-struck =
    { $count ->
        [one] Se quitó de esta respuesta un archivo o una dirección que no existe.
       *[other] Se quitaron de esta respuesta { $count } archivos o direcciones que no existen.
    }
check-mended =
    { $count ->
        [one] Se corrigió un número de esta respuesta según los resultados de los modelos.
       *[other] Se corrigieron { $count } números de esta respuesta según los resultados de los modelos.
    }
check-marked = (?) sigue a lo que ningún resultado de un modelo dice.
respond-empty = No se encontró nada: { $kind }.
respond-itself = El resultado ({ $kind }): { $found }.
respond-doubt = El modelo no está seguro de esto ({ $kind }).
respond-disagree = Los modelos no coinciden: { $first } da { $one }, { $second } da { $other }.
