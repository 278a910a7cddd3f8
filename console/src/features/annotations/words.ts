import { defineWords } from '../../words/words.ts'

export const useAnnotationWords = defineWords(
  {
    annotate: 'Annotate',
    stop: 'Stop annotating',
    hint: 'Press or draw where your remark belongs. With the keyboard: arrows, then Enter.',
    mark: 'Annotation {number}: {text}',
    chooser: 'Choose a place: arrows move, Enter takes it, Escape stops',
    onPage: 'Page {page}',
    here: 'On the picture',
  },
  {
    annotate: 'Annoter',
    stop: 'Arrêter d’annoter',
    hint: 'Appuyez ou dessinez là où va votre remarque. Au clavier : flèches, puis Entrée.',
    mark: 'Annotation {number} : {text}',
    chooser: 'Choisissez un endroit : les flèches déplacent, Entrée le prend, Échap arrête',
    onPage: 'Page {page}',
    here: 'Sur l’image',
  },
)
