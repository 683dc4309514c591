# A language model at an OpenAI-compatible endpoint.
llm-busy = { $model } a trop à faire en ce moment
llm-broken = { $model } est tombé en panne
llm-too-slow = { $model } n'a pas répondu à temps
llm-unreachable = { $model } est injoignable
llm-key-refused = la clé d'accès pour { $model } a été refusée
llm-credit-used-up = le crédit du compte pour { $model } est épuisé
llm-access-refused = ce compte ne peut pas utiliser { $model }
llm-model-gone = { $model } n'existe pas là-bas
llm-request-refused = { $model } a refusé la demande
llm-too-long = la demande est trop longue pour { $model }
llm-filtered = { $model } a refusé le contenu
llm-garbled = { $model } a répondu quelque chose d'illisible
llm-cut-short = { $model } s'est arrêté avant la fin de sa réponse
llm-cannot = { $model } ne sait pas { $kind }
llm-sees-nothing = { $model } n'accepte pas d'images
llm-file-unfit = { $model } ne peut pas lire lui-même ce type de fichier ({ $type })
llm-nothing-given = { $kind } : il n'y avait rien à traiter
