# The chat in the terminal.
console-welcome = Que veux-tu faire ? Indique les fichiers par leur chemin ou glisse-les dans cette fenêtre.
console-keys = /file CHEMIN ajoute un fichier, /new commence une conversation, /quit quitte. Ctrl-C arrête ce qui est en cours.
console-attached = { $name } est ajouté. Dis maintenant ce qu'il faut en faire.
console-no-file = Il n'y a pas de fichier { $path }.
console-file-unreadable = Impossible de lire le fichier { $name } : { $problem }
console-new = Une nouvelle conversation commence.
console-stopping = J'arrête …
console-leave = Appuie encore une fois sur Ctrl-C pour quitter.
console-going-on = Je continue : { $text }
console-task = { $step }. { $what }
console-saved = Enregistré : { $path }
console-made = { $alt } (fait par { $model })
console-notice = Remarque : { $notice }
console-apology = Ça n'a pas marché : { $reason }
console-broken = Le bot a été arrêté avant d'avoir répondu. Quand il tournera de nouveau, il continuera tout seul.
