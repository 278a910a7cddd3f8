import { defineWords } from '../../words/words.ts'

export const useProblemWords = defineWords(
  {
    failed: 'This could not be shown',
    failedHint: 'The console made a mistake. Try again, or load the page anew.',
    offline: 'The server does not answer',
    offlineHint: 'Check the network, then try again.',
    missing: 'There is nothing here',
    missingHint: 'It was moved or removed, or you may not see it.',
    notLoaded: 'This part of the console did not come',
    notLoadedHint:
      'The server does not answer, or has a newer console by now. Check the network, then load the page anew; what was typed on it and not sent is lost.',
    loadAnew: 'Load anew',
    tryAgain: 'Try again',
  },
  {
    failed: 'Affichage impossible',
    failedHint: 'La console a fait une erreur. Réessayez, ou rechargez la page.',
    offline: 'Le serveur ne répond pas',
    offlineHint: 'Vérifiez le réseau, puis réessayez.',
    missing: 'Il n’y a rien ici',
    missingHint: 'Cela a été déplacé ou supprimé, ou vous ne pouvez pas le voir.',
    notLoaded: 'Cette partie de la console n’est pas arrivée',
    notLoadedHint:
      'Le serveur ne répond pas, ou a désormais une console plus récente. Vérifiez le réseau, puis rechargez la page ; ce qui y a été saisi sans être envoyé est perdu.',
    loadAnew: 'Recharger',
    tryAgain: 'Réessayer',
  },
)
