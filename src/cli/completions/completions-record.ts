import { verb, verbs, type ArgumentsOf } from '../record/command.ts';
import { together, usual, words } from '../record/field.ts';
import { textOrNone } from '../record/kinds.ts';

export const completionsRecord = verbs('completions', {
  usage: ['bash | zsh | fish | powershell', 'answer --current=WORD WORD…'],
  notes: [
    'completions prints a script by which a shell completes commands, options and their values; docs/terminal.md says where it goes. The script asks completions answer, so it stays right when Sightglass is updated.',
  ],
  verbs: {
    bash: verb({}, {}),
    zsh: verb({}, {}),
    fish: verb({}, {}),
    powershell: verb({}, {}),
    answer: together({
      current: usual('--current WORD', 'what is typed of the word that is completed', textOrNone, '', ''),
      /** the program's name first */
      before: words('WORD'),
    }),
  },
});
export type CompletionsArguments = ArgumentsOf<typeof completionsRecord>;
