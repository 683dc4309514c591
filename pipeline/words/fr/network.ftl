# Ce que le docteur dit aux exploitants des proxys et des certificats.
network-no-proxy = Aucun proxy n'est défini (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY) : tout est joint directement.
network-proxy = { $scheme } passe par le proxy { $proxy } ({ $setting }).
network-exceptions = Jamais par un proxy : cette machine, et ce que nomme NO_PROXY : { $entries }.
network-exception-odd = NO_PROXY : { $entry } ne correspond à rien. Écris un hôte (example.com), une adresse ou un réseau (10.0.0.0/8).
network-through = Par le proxy : { $clients }.
network-past = Directement : { $clients }.
network-certificates = En plus des certificats du système, confiance est faite à : { $files }.
network-proxy-login = Le proxy { $proxy } demande un nom d'utilisateur et un mot de passe, ou refuse ceux qu'il a reçus. Écris { $setting }=http://USER:PASSWORD@HOST:PORT, avec les caractères spéciaux sous la forme %XX.
network-proxy-failed = Le proxy { $proxy } ne se connecte pas à { $host } ({ $problem }). Vérifie { $setting }, autorise l'hôte sur le proxy, ou nomme-le dans NO_PROXY s'il peut être joint sans lui.
network-certificate = Le certificat de { $host } n'est pas reconnu ({ $problem }). Si le proxy ou ton organisation signe lui-même des certificats, indique dans SSL_CERT_FILE un fichier PEM avec le sien.
