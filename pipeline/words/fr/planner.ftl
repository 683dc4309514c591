# The built-in planner: plain talk, and one short question instead of a guess.
planner-hello = Bonjour ! Envoie-moi un fichier ou un texte, et dis-moi ce que tu veux en faire.
planner-welcome = Avec plaisir !
planner-about = Je planifie des étapes pour des modèles d'IA et je les exécute, sur des images, des enregistrements, des vidéos, des documents, des tableaux et des textes. Envoie un fichier et dis ce que tu veux, par exemple « Qu'est-ce qui est écrit ? ». La commande « tasks » montre ce qui fonctionne ici. Sans modèle de langue, je comprends les demandes mais je ne peux pas bavarder.
planner-no-talk = Sans modèle de langue, je ne peux ni bavarder ni répondre à des questions générales. Je travaille sur des images, des enregistrements, des vidéos, des documents, des tableaux et des textes : la commande « tasks » indique ce que je sais faire.
planner-turn-on = Tu peux activer un modèle de langue : [Faire plus](#/setup).
planner-outside = Ça, je ne peux pas le faire. Je travaille sur des images, des enregistrements, des vidéos, des documents, des tableaux et des textes : la commande « tasks » indique ce que je sais faire.
planner-not-done = Pas fait : « { $words } ». Ça, je ne peux pas le faire.
planner-empty = Ton message est vide. Dis-moi ce que tu veux, et joins un fichier si c'est à propos d'un fichier.
planner-empty-with-files = Que veux-tu que j'en fasse ?
planner-unsure = Je ne suis pas sûr de ce que tu veux que je fasse. Peux-tu le dire autrement ?
planner-unread = Sans modèle de langue, je comprends le français, l'anglais, l'allemand, l'espagnol, le japonais et le chinois. Peux-tu le dire dans une de ces langues ?
planner-unsure-files = Je ne suis pas sûr de ce que tu veux que j'en fasse. Peux-tu le dire autrement ?
planner-unsure-order = Dans quel ordre : d’abord « { $first } », puis « { $second } » ? Je peux aussi ne faire que l’un des deux.
planner-which = Lequel veux-tu dire : { $names } ?
planner-undo = Toutes les versions sont encore là. Dis-moi de quel fichier repartir, par exemple « l’original ».
planner-lacks-file =
    Pour cela, il me faut { $type ->
        [image] une image
        [audio] un enregistrement
        [video] une vidéo
        [document] un document
        [table] un tableau
       *[other] un fichier
    }. Peux-tu me l'envoyer ?
planner-lacks-text =
    Il manque à ton message { $slot ->
        [question] la question
        [labels] la liste d'étiquettes
        [sentences] de quoi comparer
        [language] la langue
       *[other] le texte
    }. Peux-tu l'ajouter ?
planner-absent-name = Je ne vois pas de fichier « { $name } » ici. Peux-tu me l'envoyer ?
planner-no-file-usable =
    { $count ->
        [one] Je n'ai pas pu utiliser le fichier que tu as envoyé, donc je n'ai rien fait. Peux-tu le renvoyer, ou en envoyer un autre ?
       *[other] Je n'ai pu utiliser aucun des fichiers que tu as envoyés, donc je n'ai rien fait. Peux-tu les renvoyer, ou en envoyer d'autres ?
    }
