# Pourquoi un modèle a été pris ou non.
chosen-named = celui que tu as demandé
chosen-before = comme dans la réponse précédente
named-unknown = Je ne connais aucun modèle nommé { $name } ; un autre a été utilisé.
named-unused = { $name } n'a pas été utilisé : { $reason }
named-other-kind = { $name } n'a pas été utilisé : il fait autre chose ({ $kind }).
named-nowhere = { $name } ne peut pas fonctionner ici pour le moment ; personne ne le propose.
policy-not-allowed = il ne fait pas partie des modèles autorisés ici.
policy-denied = il n'est pas autorisé ici.
policy-licence = sa licence ({ $licence }) n'est pas connue pour permettre un usage commercial.
policy-language = il ne connaît pas les langues voulues ici.
policy-provider = aucun fournisseur autorisé ici ne le propose.
