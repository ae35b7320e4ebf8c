/**
 * The environment of an agent: what a program needs to start and to find its login. Everything else stays away, API keys
 * above all: with a key in its environment, an agent would bill the key instead of the subscription.
 */

/** A list of what to remove would miss the next maker's key. */
const needed =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|(?:https?|all|no)_proxy|SSL_CERT_(?:FILE|DIR)|NODE_EXTRA_CA_CERTS)$/i

/** No colours and no progress bars: nobody looks at a terminal. */
const fixed = { TERM: 'dumb', NO_COLOR: '1' }

export const scrubbed = (
  env: Readonly<Record<string, string | undefined>>,
  { keeps, drops = [] }: { readonly keeps: readonly string[]; readonly drops?: readonly string[] },
): Record<string, string> => {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (needed.test(entry[0]) || keeps.includes(entry[0])) &&
      !drops.includes(entry[0]),
  )
  return { ...Object.fromEntries(kept), ...fixed }
}
