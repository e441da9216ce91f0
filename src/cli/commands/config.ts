/** `dealsheet config`: shows the settings in force and their origin, but never the token. */
import { proxyOf, readAddress } from '../../service/address.ts';
import {
  profileNames,
  readConfiguration,
  type Setting,
  said,
  saidByProfile,
  settingOf,
} from '../../settings/configuration.ts';
import { addressFlags, paceFlags } from '../../settings/flags.ts';
import { ledgerSetting } from '../../settings/ledger-choice.ts';
import { addressOf, serviceSettings } from '../../settings/service.ts';
import { command } from '../command.ts';

export const configCommand = command({
  examples: [
    ['dealsheet config', 'which service, token, ledger and pace are in force, and where each comes from'],
    ['dealsheet config --profile live', 'the same for a profile'],
  ],
  flags: [...addressFlags, ...paceFlags, 'ledger', 'json'],
  run: async (flags, terminal, answer) => {
    const settings = serviceSettings(flags);
    const { service, chosen, serviceProfile, concurrency, rate, timeout, batch } = settings;
    const address = addressOf(settings);
    const proxy = address === null ? null : proxyOf(address, process.env);
    const configuration = readConfiguration(flags.config);
    const { path, isThere } = configuration;
    const shown: Shown = {
      service: mapped(service, (named) => {
        if (named === null) return null;
        if (named.by === 'sandbox') return 'the sandbox';
        // Also refuses an unsafe address that another one overrides.
        if (named.by === 'url') return readAddress(named.name) && named.name;
        return named.name === serviceProfile?.name ? serviceProfile.profile.url : `profile "${named.name}"`;
      }),
      proxy: settingOf<string | null>([proxy && { value: proxy.url.origin, origin: proxy.from }], null),
      token: mapped(settings.token, (source) => source?.place ?? null),
      ledger: ledgerSetting(flags),
      person: settingOf<string | null>([said(path, configuration.settings.person)], null),
      concurrency,
      rate,
      timeout,
      batch,
      idempotencyKey: settings.idempotencyKeys,
      contract: settingOf([saidByProfile(chosen, chosen?.profile.contract && 'as the profile says')], 'as assumed'),
    };
    const stored = profileNames(configuration).join(', ');
    // A stored profile has no effect until you choose it for a command.
    const notices =
      service.value === null && stored !== '' ? [`Stored profiles: ${stored}. Choose one with --profile NAME.`] : [];
    const aboutFile = `${isThere ? 'Read' : 'Not there'}: ${path}`;
    if (flags.json) answer.give({ settings: shown, files: [{ path, isThere, isOwn: true }], notices });
    else terminal.print([settingsText(shown), aboutFile, ...notices].join('\n\n'));
  },
});

type Shown = Readonly<Record<string, Setting<string | number | boolean | null>>>;

function mapped<From, To>(setting: Setting<From>, to: (value: From) => To): Setting<To> {
  const { value, origin } = setting;
  const overridden = setting.overridden.map((other) => ({ ...other, value: to(other.value) }));
  return { value: to(value), origin, overridden };
}

function settingsText(settings: Shown): string {
  const widest = Math.max(...Object.keys(settings).map((name) => name.length));
  const lines = Object.entries(settings).flatMap(([name, { value, origin, overridden }]) => [
    `${name.padEnd(widest)}  ${valueText(value)}  (${origin === 'default' && value === null ? 'not set' : origin})`,
    ...overridden.map((other) => `${' '.repeat(widest)}    instead of ${valueText(other.value)}  (${other.origin})`),
  ]);
  return lines.join('\n');
}

function valueText(value: string | number | boolean | null): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(value ?? 'none');
}
