/** CometBFT lets TMHOME, CMTHOME and every CMT… override its command line and file: they must not reach it. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(CMT|TMHOME$)/.test(name)))
}
