# Files that are fetched from a URL.
fetch-not-http = Seules les adresses http et https peuvent être téléchargées.
fetch-with-password = L'adresse sur { $host } contient un nom ou un mot de passe ; de telles adresses ne sont pas téléchargées.
fetch-unsafe-address = { $host } n'est pas une adresse publique sur Internet, donc rien n'en est téléchargé.
fetch-host-not-allowed = Rien n'est téléchargé de { $host } : ce serveur n'est pas sur la liste de cette installation (TROUPE_FETCH_HOSTS).
fetch-port-not-allowed = Rien n'est téléchargé de { $host } sur le port { $port }.
fetch-too-many-redirects = { $host } m'a renvoyé sans fin d'une adresse à l'autre.
fetch-downgrade = { $host } voulait me renvoyer vers une connexion non protégée.
fetch-status = { $status ->
    [401] { $host } demande une connexion pour ce fichier.
    [403] { $host } ne me laisse pas accéder à ce fichier.
    [404] Ce fichier n'existe pas sur { $host }.
    [410] Le fichier n'est plus sur { $host }.
    [429] { $host } reçoit trop de demandes en ce moment.
   *[other] { $host } n'a pas livré le fichier (statut { $status }).
  }
fetch-too-large = Le fichier sur { $host } fait plus de { $limit } Mo.
fetch-too-slow = { $host } a mis trop de temps à envoyer le fichier.
fetch-unreachable = { $host } est injoignable ou s'est interrompu pendant l'envoi du fichier.
fetch-encoding = { $host } a envoyé le fichier compressé d'une façon que je ne décompresse pas.
