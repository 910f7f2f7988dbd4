import type { nightSeries as english } from '../en/night-series.ts'
import type { Translated } from '#shared/texts/types.ts'

export const nightSeries: Translated<typeof english> = {
  label: 'Wiederholung',
  choices: { once: 'Einmalig', week: 'Jede Woche', two_weeks: 'Alle zwei Wochen' },
  every: {
    week: 'Jeden {day} um {clock} Uhr, {zone}',
    two_weeks: 'Jeden zweiten {day} um {clock} Uhr, {zone}',
  },
  explained: 'Bis du es beendest. Sechs Tage vor jedem Abend werden dieselben Leute eingeladen.',
  stop: 'Nicht mehr wiederholen',
  stopping: 'Wird beendet …',
  stopTitle: 'Diesen Spieleabend nicht mehr wiederholen?',
  stopText:
    'Es kommen keine weiteren Abende dazu. Die schon geplanten bleiben; sag sie ab, wenn sie ausfallen.',
  stopFailed: 'Die Wiederholung konnte nicht beendet werden.',
  changesOne: 'Das gilt nur für diesen Abend, nicht für die nächsten.',
  cancelsOne: 'Nur dieser Abend fällt aus. Der nächste ist {when}.',
  leavesChosen: 'Auch zu den nächsten Abenden wirst du nicht mehr eingeladen.',
  leavesAsHost:
    'Die nächsten Abende richtet jemand anderes aus. Hat niemand geantwortet, gibt es keine mehr.',
}
