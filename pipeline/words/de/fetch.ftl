# Files that are fetched from a URL.
fetch-not-http = Nur Adressen mit http und https können geholt werden.
fetch-with-password = Die Adresse auf { $host } enthält einen Namen oder ein Passwort; solche Adressen werden nicht geholt.
fetch-unsafe-address = { $host } ist keine öffentliche Adresse im Internet, also wird von dort nichts geholt.
fetch-host-not-allowed = Von { $host } wird nichts geholt: Es steht nicht auf der Liste der erlaubten Server (TROUPE_FETCH_HOSTS).
fetch-port-not-allowed = Von { $host } wird über Port { $port } nichts geholt.
fetch-too-many-redirects = { $host } hat mich endlos von einer Adresse zur nächsten geschickt.
fetch-downgrade = { $host } wollte mich über eine ungeschützte Verbindung weiterschicken.
fetch-status = { $status ->
    [401] { $host } verlangt für diese Datei eine Anmeldung.
    [403] { $host } gibt mir diese Datei nicht.
    [404] Diese Datei gibt es auf { $host } nicht.
    [410] Die Datei ist auf { $host } nicht mehr da.
    [429] { $host } wird gerade zu oft gefragt.
   *[other] { $host } hat die Datei nicht herausgegeben (Status { $status }).
  }
fetch-too-large = Die Datei auf { $host } ist größer als { $limit } MB.
fetch-too-slow = { $host } hat zu lange gebraucht, um die Datei zu schicken.
fetch-unreachable = { $host } war nicht zu erreichen oder hat mitten in der Datei abgebrochen.
fetch-encoding = { $host } hat die Datei so gepackt, dass ich sie nicht auspacke.
