# What only Discord says.
discord-asked = { $name } a demandé : { $words }
discord-thread = Pour { $name }
discord-no-files = Sans la permission "{ $permission }", je ne peux pas joindre de fichiers ici. Voici les fichiers :
discord-file-elsewhere = { $name } se trouve sur { $host }, qui n'est pas un serveur de fichiers de Discord.
discord-file-page = Le serveur de fichiers de Discord a envoyé une page web au lieu de { $name }.
discord-token-wrong = Discord ne connaît pas ce DISCORD_TOKEN. Copie le jeton de ton application sur { $link } (Bot → Reset Token).
discord-token-revoked = Discord n'accepte plus ce DISCORD_TOKEN. Crées-en un nouveau sur { $link } (Bot → Reset Token).
discord-intent-missing = Discord ne laisse pas le bot lire les messages : active "Message Content Intent" sur { $link } (Bot → Privileged Gateway Intents).
discord-closed = Discord a fermé la connexion pour de bon. Regarde l'application sur { $link }.
discord-forbidden = Discord n'autorise pas le bot à faire cela ici ({ $problem }).
discord-gone = Cela n'est plus dans Discord ({ $problem }).
discord-refused = Discord a refusé ce que le bot a envoyé ({ $problem }).
discord-unreachable = Discord est injoignable.
discord-aside-gone = L’endroit où tu as posé la question n’existe plus, alors je te réponds ici.
discord-aside-late = Discord n’accepte plus de messages là où tu as demandé, je te réponds donc ici.
discord-aside-locked = « { $channel } » est verrouillé, alors je réponds ici.
discord-aside-permission = Dans { $channel }, il me manque la permission "{ $permission }", alors voici la réponse. La personne qui gère le serveur peut me la donner.
discord-permission-read_messages = Voir les salons
discord-permission-send_messages = Envoyer des messages
discord-permission-send_messages_in_threads = Envoyer des messages dans les fils
discord-permission-attach_files = Joindre des fichiers
discord-nowhere = Il ne reste aucun endroit dans Discord où le bot puisse répondre à cela.

# What the doctor finds.
doctor-discord-token-good = Discord connaît ce jeton : le bot est { $name }.
doctor-discord-intent-good = Le bot peut lire les messages (Message Content Intent est activé).
doctor-discord-intent-missing = Le bot ne lit que les mentions, les messages privés et les commandes. Pour qu’il suive un fil sans mention, active "Message Content Intent" sur { $link } (Privileged Gateway Intents).
doctor-discord-gateway-good = La passerelle de Discord accepte la connexion.
doctor-discord-no-server = Le bot n'est encore sur aucun serveur. Ouvre le lien et ajoute-le à un serveur.
doctor-discord-permission = Il manque au bot la permission "{ $permission }" dans { $where }.
doctor-discord-permissions-good = Toutes les permissions sont là dans { $where }.
doctor-discord-channel = Le bot ne voit aucun canal { $channel }.
doctor-discord-hello = Bonjour de la part du docteur ; ceci disparaît tout seul.
doctor-discord-round-trip = Un message a été écrit, modifié et repris dans { $channel }.
