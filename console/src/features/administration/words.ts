import { defineWords } from '../../words/words.ts'

export const useAdministrationWords = defineWords(
  {
    title: 'Administration',
    screens: 'Administration',
    people: 'People',
    content: 'Content',
    work: 'Work',
    access: 'Access',
    server: 'Server',
    back: 'Back to the list',
    notHere: 'There is no such screen',
    notHereHint: 'Choose one of those beside it.',
  },
  {
    title: 'Administration',
    screens: 'Administration',
    people: 'Personnes',
    content: 'Contenu',
    work: 'Travail',
    access: 'Accès',
    server: 'Serveur',
    back: 'Retour à la liste',
    notHere: 'Cet écran n’existe pas',
    notHereHint: 'Choisissez-en un à côté.',
  },
)
