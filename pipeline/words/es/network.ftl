# Lo que el doctor dice a los operadores sobre proxies y certificados.
network-no-proxy = No hay ningún proxy configurado (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY): todo se alcanza directamente.
network-proxy = { $scheme } pasa por el proxy { $proxy } ({ $setting }).
network-exceptions = Nunca por un proxy: este equipo y lo que nombra NO_PROXY: { $entries }.
network-exception-odd = NO_PROXY: { $entry } no coincide con nada. Escribe un host (example.com), una dirección o una red (10.0.0.0/8).
network-through = Por el proxy: { $clients }.
network-past = Directamente: { $clients }.
network-certificates = Además de los certificados del sistema se confía en: { $files }.
network-proxy-login = El proxy { $proxy } pide usuario y contraseña, o rechaza los que se le enviaron. Escribe { $setting }=http://USER:PASSWORD@HOST:PORT, con los caracteres especiales como %XX.
network-proxy-failed = El proxy { $proxy } no conecta con { $host } ({ $problem }). Revisa { $setting }, permite el host en el proxy o nómbralo en NO_PROXY si se puede alcanzar sin él.
network-certificate = El certificado de { $host } no es de confianza ({ $problem }). Si el proxy o tu organización firma certificados por su cuenta, pon en SSL_CERT_FILE un archivo PEM con el suyo.
