# A language model at an OpenAI-compatible endpoint.
llm-busy = { $model } tiene demasiado trabajo en este momento
llm-broken = { $model } falló
llm-too-slow = { $model } no respondió a tiempo
llm-unreachable = no se pudo contactar con { $model }
llm-key-refused = se rechazó la clave de acceso para { $model }
llm-credit-used-up = se agotó el crédito de la cuenta para { $model }
llm-access-refused = esta cuenta no puede usar { $model }
llm-model-gone = { $model } no existe allí
llm-request-refused = { $model } rechazó la petición
llm-too-long = la petición es demasiado larga para { $model }
llm-filtered = { $model } rechazó el contenido
llm-garbled = { $model } respondió algo que no se puede leer
llm-cut-short = { $model } se detuvo antes de terminar su respuesta
llm-cannot = { $model } no sabe { $kind }
llm-sees-nothing = { $model } no acepta imágenes
llm-file-unfit = { $model } no puede leer por sí solo este tipo de archivo ({ $type })
llm-nothing-given = { $kind }: no había nada con lo que trabajar
