# Was der Doktor Betreibern über Proxys und Zertifikate sagt.
network-no-proxy = Kein Proxy ist eingestellt (HTTPS_PROXY, HTTP_PROXY, ALL_PROXY): Alles wird direkt erreicht.
network-proxy = { $scheme } geht über den Proxy { $proxy } ({ $setting }).
network-exceptions = Nie über einen Proxy: dieser Rechner und was NO_PROXY nennt: { $entries }.
network-exception-odd = NO_PROXY: { $entry } trifft auf nichts zu. Schreibe einen Rechner (example.com), eine Adresse oder ein Netz (10.0.0.0/8).
network-through = Über den Proxy: { $clients }.
network-past = Direkt: { $clients }.
network-certificates = Außer den Zertifikaten des Systems wird vertraut: { $files }.
network-proxy-login = Der Proxy { $proxy } verlangt Benutzername und Passwort oder lehnt die gesendeten ab. Schreibe { $setting }=http://USER:PASSWORD@HOST:PORT, Sonderzeichen als %XX.
network-proxy-failed = Der Proxy { $proxy } verbindet nicht mit { $host } ({ $problem }). Prüfe { $setting }, erlaube den Rechner am Proxy, oder nenne ihn in NO_PROXY, wenn er ohne erreichbar ist.
network-certificate = Dem Zertifikat von { $host } wird nicht vertraut ({ $problem }). Wenn der Proxy oder deine Organisation Zertifikate selbst ausstellt, setze SSL_CERT_FILE auf eine PEM-Datei mit dem eigenen Zertifikat.
