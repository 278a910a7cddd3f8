import { defineWords } from '../../words/words.ts'

export const useProblemWords = defineWords(
  {
    failed: 'This could not be shown',
    offline: 'The server does not answer',
    offlineHint: 'Check the network, then try again.',
    missing: 'There is nothing here',
    missingHint: 'It was moved or removed, or you may not see it.',
    tryAgain: 'Try again',
  },
  {
    failed: 'Affichage impossible',
    offline: 'Le serveur ne répond pas',
    offlineHint: 'Vérifiez le réseau, puis réessayez.',
    missing: 'Il n’y a rien ici',
    missingHint: 'Cela a été déplacé ou supprimé, ou vous ne pouvez pas le voir.',
    tryAgain: 'Réessayer',
  },
)
