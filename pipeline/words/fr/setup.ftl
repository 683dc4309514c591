# La configuration par la personne qui exploite le programme, et ce que la page propose pour commencer.
setup-not-here = Cela ne marche que pour la personne qui exploite Troupe, dans un navigateur de la même machine.
setup-too-often = Trop d'essais en peu de temps. Attends une minute, puis réessaie.
setup-key-missing = Colle d'abord une clé.
setup-odd-key = Cela ne peut être ni une clé ni un jeton : c'est un seul mot d'au moins huit lettres, chiffres et signes, sans espace.
setup-too-long = C'est trop long.
setup-whose-key = La clé ne dit pas pour quel service elle est. Choisis le service.
setup-address-missing = Entre l'adresse du serveur, par exemple https://example.com/v1.
setup-slack-bot-token = Le jeton du bot commence par xoxb-. Slack l'affiche sous « Install App », une fois l'application installée.
setup-slack-app-token = Le jeton de l'application commence par xapp-. Slack le crée sous « Basic Information », « App-Level Tokens ».
setup-replicas = Un autre Troupe travaille sur la même base de données, et .env ne compte que pour cette machine. Change les réglages là où chacun est démarré.
setup-in-environment = { $names } est défini dans l'environnement, qui compte plus que le fichier .env. Change-le là où Troupe est démarré.
setup-in-toml = { $names } est défini dans troupe.toml et devrait y être retiré.
setup-unwritten = Tout a été vérifié et fonctionne, mais rien n'a été enregistré. { $problem } Ajoute ces lignes à { $file } et redémarre Troupe : { $lines }
setup-file-away = Impossible de lire ou d'écrire { $file } : { $problem }.
setup-unreadable-value = { $name } ne peut pas être écrit dans .env : la valeur contient des signes qui seraient lus autrement.
setup-nothing-to-undo = Il n'y a rien à annuler.
setup-put-back = Le démarrage avec les nouveaux réglages a échoué, donc les précédents sont de nouveau en vigueur. { $problem }
setup-llm-on = { $model } planifie et répond. { $sees ->
    [yes] Il voit les images.
   *[no] Il ne voit pas les images.
  }
setup-llm-off = Aucun modèle de langue : le planificateur intégré comprend les demandes simples, mais ne peut ni converser, ni écrire, ni traduire.
setup-llm-closed = TROUPE_CONTROLLER est sur off : aucun modèle de langue ne planifie.
setup-hosted-on = Les modèles de Hugging Face peuvent être utilisés.
setup-hosted-off = Aucun jeton de Hugging Face : ses modèles ne peuvent pas être utilisés.
setup-local-on = Des modèles tournent sur cette machine, à { $address }.
setup-local-none = Tout ce qu'il faut pour des modèles sur cette machine est installé, mais il n'y a encore aucun modèle.
setup-local-off = Aucun modèle ne tourne sur cette machine.
setup-slack-on = Slack est connecté.
setup-slack-off = Slack n'est pas connecté.
setup-discord-on = Discord est connecté.
setup-discord-off = Discord n'est pas connecté.
start-draw = Faire dessiner une image
start-draw-text = Dessine un phare au crépuscule, à l'aquarelle
start-poem = Faire écrire et lire un poème
start-poem-text = Écris un poème de quatre vers sur la mer et lis-le à voix haute
start-invoice = Se faire lire une facture
start-invoice-text = Lis à voix haute le total de cette facture
start-look = Faire décrire une image
start-look-text = Qu'y a-t-il sur cette image ?
start-translate = Traduire quelque chose
start-translate-text = Traduis en anglais et en japonais : « L'avenir appartient à ceux qui se lèvent tôt. »
start-sketch = Faire d'une image un dessin au crayon
start-sketch-text = Fais de cette image un dessin au crayon
start-mood = Savoir ce qu'exprime un avis
start-mood-text = Quel est le sentiment de cet avis ? « La chambre était charmante et le petit déjeuner encore meilleur, mais il a fallu une heure pour s'enregistrer. »
setup-too-slow = Avec les nouveaux réglages, le démarrage a pris trop de temps.
setup-needs-key = Un jeton de Hugging Face, ou une clé pour un modèle de langue.
setup-needs-hub = Un jeton de Hugging Face, ou des modèles sur cette machine.
setup-needs-local = Des modèles sur cette machine.
setup-sharing-on = Les conversations de la page peuvent être partagées par un lien.
setup-sharing-off = Les conversations de la page ne peuvent pas être partagées.
setup-mend-key = Vérifie la clé et le compte auprès du service, puis colle la clé à nouveau.
setup-mend-address = Entre { $value } comme adresse.
setup-mend-model = { $named ->
    [true] Choisis le modèle { $value } ou un autre que le serveur possède.
   *[false] Choisis un modèle que le serveur possède.
  }
setup-mend-blind = Aucune image ne lui est envoyée.
