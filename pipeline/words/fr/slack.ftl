# What only Slack gives occasion to say.
slack-status = y travaille …
slack-loading =
    Je lis ton message …
    Je planifie les étapes …
    Je choisis un modèle pour chaque étape …
    J'exécute les étapes …
slack-prompt-draw = Dessiner une image
slack-prompt-draw-text = Dessine un phare à l'aube.
slack-prompt-poem = Écrire un poème et le lire à voix haute
slack-prompt-poem-text = Écris un court poème sur la mer et lis-le à voix haute.
slack-prompt-translate = Traduire une phrase
slack-prompt-translate-text = Traduis « Où est la gare ? » en anglais.
slack-prompt-mood = Juger le ton d'un avis
slack-prompt-mood-text = Quel est le sentiment de cet avis ? « La chambre était charmante et le personnel aimable. »
slack-prompt-read = Lire un texte à voix haute
slack-prompt-read-text = Lis ceci à voix haute : « Bonjour à tous. La réunion commence à dix heures. »
slack-prompt-help = Que sais-tu faire ?
slack-unreachable = Slack n'a pas pu être joint depuis cette machine. Est-elle en ligne, ou derrière un proxy ?
slack-refused = { $code ->
    [is_archived] Le canal est archivé.
    [channel_not_found] Le canal n'existe plus, ou je ne peux pas le voir.
    [not_in_channel] Je ne suis plus dans le canal.
    [restricted_action] Je n'ai pas le droit d'y écrire.
    [restricted_action_read_only_channel] Je n'ai pas le droit d'y écrire.
    [restricted_action_thread_only_channel] Je n'ai pas le droit d'y écrire.
    [restricted_action_thread_locked] Le fil est verrouillé.
    [storage_limit_reached] L'espace de travail n'a plus de place pour des fichiers.
    [file_uploads_disabled] Cet espace de travail n'autorise pas l'envoi de fichiers.
   *[other] Slack a refusé { $method } : { $code }
}
slack-scope-missing = Je ne peux pas faire cela ici : l'application n'a pas le scope { $scope }. Un admin peut l'ajouter.
slack-could-not-answer = Je n'ai pas pu te répondre dans { $channel } : { $reason }
slack-about = À propos de { $place } :
slack-not-in-channel = Je ne suis pas dans cette conversation. Invite-moi avec /invite, ou écris-moi en message direct.
slack-not-your-channel = Je ne vois pas que tu participes à cette conversation ; je n'y fais donc rien.
slack-asked = { $name } demande : { $text }
slack-usage = Écris-le ainsi : `{ $usage }`
slack-unknown-word = Il n'y a pas de commande « { $name } » : `{ $slash } help` les affiche. Pour demander quelque chose : `{ $slash } ask …`.
slack-unknown-command = La commande « { $name } » n'existe pas. Vouliez-vous dire `{ $slash } { $nearest }` ? Pour une demande qui commence par ce mot, écrivez `{ $slash } ask …`.
slack-which-thread = De quel fil s'agit-il ?
slack-pick-thread = Choisir un fil
slack-no-threads = Je n'ai encore répondu dans aucun fil de ce canal.
slack-form-title = Demander à Troupe
slack-form-description = Demander avec des mots et des fichiers, de n'importe où
slack-form-channel = Où envoyer la réponse ?
slack-form-direct = En message direct, à toi
slack-form-submit = Demander
slack-form-large = { $name } fait { $size } Mo. J'accepte au plus { $limit } Mo.
slack-form-empty = Écris ce que tu souhaites.
slack-home-works = Ce qui marche ici
slack-home-requests = Tes dernières demandes
slack-home-none = Aucune pour l'instant. Écris-moi ici ou mentionne-moi dans un canal.
slack-home-all = Tout afficher
slack-home-missing = Ce qui ne marche pas encore
slack-home-settings = Réglages d'un canal
slack-home-choose = Choisis un canal pour voir ou changer ses réglages.
slack-home-channel = Choisir un canal
slack-home-change = Changer
slack-form-close = Fermer
slack-file-sign-in = Slack n'a pas livré { $name }, mais sa page de connexion : il manque à l'app le scope files:read ou l'accès au fichier.
slack-file-elsewhere = { $name } se trouve sur un autre service ({ $host }), d'où je ne peux pas le récupérer. Téléverse-le ici.
slack-file-gone = Slack n'a plus de fichier nommé { $name }.
slack-bot-token-wrong = SLACK_BOT_TOKEN ne marche pas ({ $code }). Prends le "Bot User OAuth Token" sur { $link }
slack-app-token-wrong = SLACK_APP_TOKEN ne marche pas ({ $code }). Crées-en un avec le scope connections:write sur { $link }
slack-revoked = L'app a été retirée de l'espace de travail, ou son jeton révoqué. Réinstalle-la sur { $link }
slack-not-installed = L'application n'est plus installée dans cet espace de travail ({ $team }).
slack-rotation = Cette application utilise la rotation des jetons, que Troupe ne prend pas en charge et que Slack ne permet pas de désactiver. Recréez l'application à partir du manifeste qu'affiche `troupe slack manifest`.
slack-secret-key-bad = TROUPE_SECRET_KEY n'est pas une clé Fernet. Pour en créer une : { $command }
slack-secret-key-wrong = TROUPE_SECRET_KEY ne déchiffre pas les jetons des espaces Slack installés. Ajoutez la clé avec laquelle ils ont été enregistrés après la nouvelle et une virgule.
