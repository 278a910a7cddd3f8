import { defineWords } from '../../words/words.ts'

export const useProblemWords = defineWords(
  {
    failed: 'This could not be shown',
    offline: 'The server does not answer',
    offlineHint: 'Check the network, then try again.',
    tryAgain: 'Try again',
  },
  {
    failed: 'Affichage impossible',
    offline: 'Le serveur ne répond pas',
    offlineHint: 'Vérifiez le réseau, puis réessayez.',
    tryAgain: 'Réessayer',
  },
)
