import fc from 'fast-check';
import { isLong } from './speed.ts';

// The same cases in every run, so that no run fails by chance. The long tests look for new ones.
if (!isLong) fc.configureGlobal({ seed: 1 });
