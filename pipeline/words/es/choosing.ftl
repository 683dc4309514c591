# Por qué se tomó o no un modelo.
chosen-named = el que pediste
chosen-before = como en la respuesta anterior
named-unknown = No conozco ningún modelo llamado { $name }; se usó otro.
named-unused = No se usó { $name }: { $reason }
named-other-kind = No se usó { $name }: hace otra cosa ({ $kind }).
named-nowhere = { $name } no puede funcionar aquí por ahora; nadie lo ofrece.
policy-not-allowed = no está entre los modelos permitidos aquí.
policy-denied = no está permitido aquí.
policy-licence = no consta que su licencia ({ $licence }) permita el uso comercial.
policy-language = no conoce los idiomas que se quieren aquí.
policy-provider = ningún proveedor permitido aquí lo ofrece.
