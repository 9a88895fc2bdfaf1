//! The C interface of Z3, wrapped so that the rest of the back end is safe code.
//!
//! Every [`Ast`], [`Check`] and [`Assignment`] owns one reference count and holds its context alive.
//! Each solver has a context of its own: what one solver was asked before never changes what another
//! one answers, so answers do not depend on how work is spread over threads.
//!
//! Safety: all pointers come from Z3, are counted while we hold them, and are used with the context
//! they were made in; a context is used by one thread at a time (its objects are not `Send`), except
//! for `Z3_interrupt`, which Z3 allows from any thread.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_uint};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustc_hash::FxHashMap;
use term::{Rounding, Sort};
use z3_sys::*;

pub type Unary = unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>;
pub type Binary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub type Ternary = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>;
pub type ToFloat = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_sort) -> Option<Z3_ast>;
pub type ToBits = unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, c_uint) -> Option<Z3_ast>;
pub type Nary = unsafe extern "C" fn(Z3_context, c_uint, *const Z3_ast) -> Option<Z3_ast>;

#[derive(Clone, Debug)]
pub struct Context(Arc<Handle>);

#[derive(Debug)]
struct Handle {
    raw: Z3_context,
    stopped: AtomicBool,
    /// Counted: Z3 collects a sort that nothing uses, even while we build another one from it.
    sorts: RefCell<FxHashMap<Sort, Z3_sort>>,
}

// Safety: other threads only set the flag and call `Z3_interrupt`; see the top of the file.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        unsafe { Z3_del_context(self.raw) }
    }
}

/// How much memory all solvers may take together, in megabytes. With more, queries are given up. It must be said before the first
/// solver is made.
pub fn limit_memory(megabytes: u32) {
    let Ok(most) = CString::new(megabytes.to_string()) else { return };
    // The search for a model of bits, and rewriting, look at limits of their own.
    for name in [c"memory_high_watermark_mb", c"sat.max_memory", c"rewriter.max_memory"] {
        unsafe { Z3_global_param_set(name.as_ptr(), most.as_ptr()) }
    }
}

/// Ends the running query of a solver, and all later ones, from any thread.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<Handle>);

impl Interrupt {
    pub fn interrupt(&self) {
        self.0.stopped.store(true, Ordering::SeqCst);
        unsafe { Z3_interrupt(self.0.raw) }
    }
}

impl Context {
    pub fn new() -> Context {
        let raw = unsafe {
            let configuration = Z3_mk_config().expect("Z3 can allocate a configuration");
            let raw = Z3_mk_context_rc(configuration).expect("Z3 can allocate a context");
            Z3_del_config(configuration);
            // Without a handler, errors are the null results and codes that we look at.
            Z3_set_error_handler(raw, None);
            raw
        };
        Context(Arc::new(Handle {
            raw,
            stopped: AtomicBool::new(false),
            sorts: RefCell::default(),
        }))
    }

    pub fn interrupt(&self) -> Interrupt {
        Interrupt(self.0.clone())
    }

    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::SeqCst)
    }

    fn raw(&self) -> Z3_context {
        self.0.raw
    }

    fn ast(&self, raw: Option<Z3_ast>) -> Option<Ast> {
        let raw = raw?;
        unsafe { Z3_inc_ref(self.raw(), raw) };
        Some(Ast { context: self.clone(), raw })
    }

    pub fn unary(&self, make: Unary, a: &Ast) -> Option<Ast> {
        self.ast(unsafe { make(self.raw(), a.raw) })
    }

    pub fn binary(&self, make: Binary, a: &Ast, b: &Ast) -> Option<Ast> {
        self.ast(unsafe { make(self.raw(), a.raw, b.raw) })
    }

    pub fn ternary(&self, make: Ternary, a: &Ast, b: &Ast, c: &Ast) -> Option<Ast> {
        self.ast(unsafe { make(self.raw(), a.raw, b.raw, c.raw) })
    }

    pub fn nary(&self, make: Nary, args: &[Ast]) -> Option<Ast> {
        let args: Vec<Z3_ast> = args.iter().map(|a| a.raw).collect();
        self.ast(unsafe { make(self.raw(), args.len() as c_uint, args.as_ptr()) })
    }

    pub fn ite(&self, condition: &Ast, then: &Ast, otherwise: &Ast) -> Option<Ast> {
        self.ternary(Z3_mk_ite, condition, then, otherwise)
    }

    pub fn store(&self, array: &Ast, index: &Ast, element: &Ast) -> Option<Ast> {
        self.ternary(Z3_mk_store, array, index, element)
    }

    pub fn extract(&self, high: u32, low: u32, a: &Ast) -> Option<Ast> {
        self.ast(unsafe { Z3_mk_extract(self.raw(), high, low, a.raw) })
    }

    pub fn zero_extend(&self, by: u32, a: &Ast) -> Option<Ast> {
        self.ast(unsafe { Z3_mk_zero_ext(self.raw(), by, a.raw) })
    }

    pub fn sign_extend(&self, by: u32, a: &Ast) -> Option<Ast> {
        self.ast(unsafe { Z3_mk_sign_ext(self.raw(), by, a.raw) })
    }

    pub fn constant_array(&self, index: &Sort, element: &Ast) -> Option<Ast> {
        self.ast(unsafe { Z3_mk_const_array(self.raw(), self.sort(index)?, element.raw) })
    }

    /// That the product does not exceed the largest number of the width.
    pub fn unsigned_product_fits(&self, a: &Ast, b: &Ast) -> Option<Ast> {
        self.ast(unsafe { Z3_mk_bvmul_no_overflow(self.raw(), a.raw, b.raw, false) })
    }

    /// That the product is neither too large nor too small.
    pub fn signed_product_fits(&self, a: &Ast, b: &Ast) -> Option<[Ast; 2]> {
        let above = unsafe { Z3_mk_bvmul_no_overflow(self.raw(), a.raw, b.raw, true) };
        let above = self.ast(above)?;
        let below = unsafe { Z3_mk_bvmul_no_underflow(self.raw(), a.raw, b.raw) };
        Some([above, self.ast(below)?])
    }

    pub fn rounding(&self, mode: Rounding) -> Option<Ast> {
        let make = match mode {
            Rounding::NearestEven => Z3_mk_fpa_rne,
            Rounding::TowardZero => Z3_mk_fpa_rtz,
            Rounding::Up => Z3_mk_fpa_rtp,
            Rounding::Down => Z3_mk_fpa_rtn,
            Rounding::NearestAway => Z3_mk_fpa_rna,
        };
        self.ast(unsafe { make(self.raw()) })
    }

    pub fn float_fma(&self, mode: &Ast, a: &Ast, b: &Ast, c: &Ast) -> Option<Ast> {
        self.ast(unsafe { Z3_mk_fpa_fma(self.raw(), mode.raw, a.raw, b.raw, c.raw) })
    }

    pub fn float_from_bits(&self, bits: &Ast, sort: &Sort) -> Option<Ast> {
        self.ast(unsafe { Z3_mk_fpa_to_fp_bv(self.raw(), bits.raw, self.sort(sort)?) })
    }

    pub fn to_float(&self, make: ToFloat, mode: &Ast, a: &Ast, sort: &Sort) -> Option<Ast> {
        self.ast(unsafe { make(self.raw(), mode.raw, a.raw, self.sort(sort)?) })
    }

    pub fn float_to_bits(&self, make: ToBits, mode: &Ast, a: &Ast, width: u32) -> Option<Ast> {
        self.ast(unsafe { make(self.raw(), mode.raw, a.raw, width) })
    }

    /// The formula with floats replaced by circuits on their bits. None if that cannot be done, as for
    /// arrays of floats.
    pub fn without_floats(&self, formula: &Ast) -> Option<Ast> {
        let z3 = self.raw();
        unsafe {
            let tactic = Z3_mk_tactic(z3, c"fpa2bv".as_ptr())?;
            Z3_tactic_inc_ref(z3, tactic);
            let goal = Z3_mk_goal(z3, false, false, false);
            let result = goal.and_then(|goal| {
                Z3_goal_inc_ref(z3, goal);
                Z3_goal_assert(z3, goal, formula.raw);
                let result = Z3_tactic_apply(z3, tactic, goal);
                Z3_goal_dec_ref(z3, goal);
                result
            });
            Z3_tactic_dec_ref(z3, tactic);
            let result = result?;
            Z3_apply_result_inc_ref(z3, result);
            let parts = self.only_subgoal(result);
            Z3_apply_result_dec_ref(z3, result);
            self.nary(Z3_mk_and, &parts?)
        }
    }

    unsafe fn only_subgoal(&self, result: Z3_apply_result) -> Option<Vec<Ast>> {
        let z3 = self.raw();
        unsafe {
            if Z3_apply_result_get_num_subgoals(z3, result) != 1 {
                return None;
            }
            let goal = Z3_apply_result_get_subgoal(z3, result, 0)?;
            Z3_goal_inc_ref(z3, goal);
            let count = Z3_goal_size(z3, goal);
            let parts = (0..count).map(|i| self.ast(Z3_goal_formula(z3, goal, i))).collect();
            Z3_goal_dec_ref(z3, goal);
            parts
        }
    }

    pub fn boolean(&self, value: bool) -> Option<Ast> {
        let make = if value { Z3_mk_true } else { Z3_mk_false };
        self.ast(unsafe { make(self.raw()) })
    }

    /// A number, in decimal notation; `p/q` for reals.
    pub fn numeral(&self, text: &str, sort: &Sort) -> Option<Ast> {
        let text = CString::new(text).ok()?;
        self.ast(unsafe { Z3_mk_numeral(self.raw(), text.as_ptr(), self.sort(sort)?) })
    }

    /// The variable of this name and sort: the same each time.
    pub fn variable(&self, name: &str, sort: &Sort) -> Option<Ast> {
        // A name with a NUL in it cannot be told to Z3 as it is.
        let name = CString::new(name.replace('\0', "\\0")).ok()?;
        self.ast(unsafe {
            let symbol = Z3_mk_string_symbol(self.raw(), name.as_ptr())?;
            Z3_mk_const(self.raw(), symbol, self.sort(sort)?)
        })
    }

    /// A new variable of sort Bool.
    pub fn fresh(&self) -> Option<Ast> {
        self.ast(unsafe {
            Z3_mk_fresh_const(self.raw(), c"assume".as_ptr(), self.sort(&Sort::Bool)?)
        })
    }

    pub fn forall(&self, variables: &[Ast], body: &Ast) -> Option<Ast> {
        unsafe {
            let bound: Option<Vec<Z3_app>> =
                variables.iter().map(|v| Z3_to_app(self.raw(), v.raw)).collect();
            let bound = bound?;
            let none = std::ptr::null();
            self.ast(Z3_mk_forall_const(
                self.raw(),
                0,
                bound.len() as c_uint,
                bound.as_ptr(),
                0,
                none,
                body.raw,
            ))
        }
    }

    fn sort(&self, sort: &Sort) -> Option<Z3_sort> {
        if let Some(known) = self.0.sorts.borrow().get(sort) {
            return Some(*known);
        }
        let new = unsafe {
            let new = match sort {
                Sort::Bool => Z3_mk_bool_sort(self.raw()),
                Sort::Int => Z3_mk_int_sort(self.raw()),
                Sort::Real => Z3_mk_real_sort(self.raw()),
                Sort::BitVec(width) => Z3_mk_bv_sort(self.raw(), *width),
                Sort::Float(f) => Z3_mk_fpa_sort(self.raw(), f.exponent_bits(), f.precision()),
                Sort::Array(array) => {
                    let index = self.sort(&array.index)?;
                    let element = self.sort(&array.element)?;
                    Z3_mk_array_sort(self.raw(), index, element)
                }
            }?;
            Z3_inc_ref(self.raw(), Z3_sort_to_ast(self.raw(), new)?);
            new
        };
        self.0.sorts.borrow_mut().insert(sort.clone(), new);
        Some(new)
    }

    fn error(&self) -> String {
        unsafe {
            let code = Z3_get_error_code(self.raw());
            text(Z3_get_error_msg(self.raw(), code))
        }
    }
}

fn text(raw: Z3_string) -> String {
    if raw.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(raw) }.to_string_lossy().into_owned()
}

/// A term of Z3. Equal terms are the same object, so equality is that of addresses.
#[derive(Debug)]
pub struct Ast {
    context: Context,
    raw: Z3_ast,
}

impl Clone for Ast {
    fn clone(&self) -> Ast {
        unsafe { Z3_inc_ref(self.context.raw(), self.raw) };
        Ast { context: self.context.clone(), raw: self.raw }
    }
}

impl Drop for Ast {
    fn drop(&mut self) {
        unsafe { Z3_dec_ref(self.context.raw(), self.raw) }
    }
}

impl PartialEq for Ast {
    fn eq(&self, other: &Ast) -> bool {
        self.raw == other.raw
    }
}

impl Eq for Ast {}

impl Hash for Ast {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw.hash(state);
    }
}

/// What a value of Z3 is made of.
#[derive(Debug)]
pub enum Shape {
    Boolean(bool),
    /// In decimal notation; `p/q` for reals.
    Numeral(String),
    Store(Ast, Ast, Ast),
    ConstantArray(Ast),
    /// A function of the model, used as an array.
    Function(Function),
    Other,
}

/// An array as a table.
#[derive(Debug)]
pub struct Function {
    pub entries: Vec<(Ast, Ast)>,
    pub otherwise: Ast,
}

/// An assignment of values to variables.
#[derive(Debug)]
pub struct Assignment {
    context: Context,
    raw: Z3_model,
}

impl Drop for Assignment {
    fn drop(&mut self) {
        unsafe { Z3_model_dec_ref(self.context.raw(), self.raw) }
    }
}

impl Assignment {
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The value of a term; variables without a value get one.
    pub fn value(&self, of: &Ast) -> Option<Ast> {
        let mut value = of.raw;
        let done = unsafe { Z3_model_eval(self.context.raw(), self.raw, of.raw, true, &mut value) };
        if done { self.context.ast(Some(value)) } else { None }
    }

    pub fn shape(&self, value: &Ast) -> Shape {
        self.shape_if_known(value).unwrap_or(Shape::Other)
    }

    fn shape_if_known(&self, value: &Ast) -> Option<Shape> {
        let raw = self.context.raw();
        unsafe {
            match Z3_get_bool_value(raw, value.raw) {
                Z3_L_TRUE => return Some(Shape::Boolean(true)),
                Z3_L_FALSE => return Some(Shape::Boolean(false)),
                _ => {}
            }
            if Z3_is_numeral_ast(raw, value.raw) {
                return Some(Shape::Numeral(text(Z3_get_numeral_string(raw, value.raw))));
            }
            if Z3_is_as_array(raw, value.raw) {
                let declaration = Z3_get_as_array_func_decl(raw, value.raw)?;
                return self.function(declaration).map(Shape::Function);
            }
            if Z3_get_ast_kind(raw, value.raw) != AstKind::App {
                return None;
            }
            let application = Z3_to_app(raw, value.raw)?;
            let declaration = Z3_get_app_decl(raw, application)?;
            let argument = |i| self.context.ast(Z3_get_app_arg(raw, application, i));
            match Z3_get_decl_kind(raw, declaration) {
                DeclKind::Store if Z3_get_app_num_args(raw, application) == 3 => {
                    Some(Shape::Store(argument(0)?, argument(1)?, argument(2)?))
                }
                DeclKind::ConstArray => Some(Shape::ConstantArray(argument(0)?)),
                _ => None,
            }
        }
    }

    unsafe fn function(&self, declaration: Z3_func_decl) -> Option<Function> {
        let raw = self.context.raw();
        unsafe {
            let function = Z3_model_get_func_interp(raw, self.raw, declaration)?;
            Z3_func_interp_inc_ref(raw, function);
            let count = Z3_func_interp_get_num_entries(raw, function);
            let entries = (0..count).map(|i| self.entry(function, i)).collect::<Option<Vec<_>>>();
            let otherwise = self.context.ast(Z3_func_interp_get_else(raw, function));
            Z3_func_interp_dec_ref(raw, function);
            Some(Function { entries: entries?, otherwise: otherwise? })
        }
    }

    unsafe fn entry(&self, function: Z3_func_interp, i: c_uint) -> Option<(Ast, Ast)> {
        let raw = self.context.raw();
        unsafe {
            let entry = Z3_func_interp_get_entry(raw, function, i)?;
            Z3_func_entry_inc_ref(raw, entry);
            let arguments = Z3_func_entry_get_num_args(raw, entry);
            let index = self.context.ast(Z3_func_entry_get_arg(raw, entry, 0));
            let element = self.context.ast(Z3_func_entry_get_value(raw, entry));
            Z3_func_entry_dec_ref(raw, entry);
            if arguments == 1 { index.zip(element) } else { None }
        }
    }
}

/// Z3's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Sat,
    Unsat,
    /// With the reason in Z3's words.
    Unknown(String),
}

/// Which of Z3's solvers.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Incremental, by bit-blasting; Bool and BitVec only.
    Bits,
    /// Incremental, for everything.
    Incremental,
    /// Strategies for many logics; best used for one question.
    OneShot,
}

/// Z3 counts its steps. So many are done in a microsecond, more or less, by an ordinary machine.
const STEPS_IN_A_MICROSECOND: u32 = 4;
/// How much slower than that a machine may be before the clock ends a check. What Z3 does before it searches, it hardly counts.
const SLACK: u32 = 8;
const SHORTEST: Duration = Duration::from_secs(6);

/// One of Z3's solvers.
#[derive(Debug)]
pub struct Check {
    context: Context,
    raw: Z3_solver,
    limit: Duration,
}

impl Drop for Check {
    fn drop(&mut self) {
        unsafe { Z3_solver_dec_ref(self.context.raw(), self.raw) }
    }
}

impl Check {
    pub fn new(context: &Context, kind: Kind) -> Option<Check> {
        let z3 = context.raw();
        let raw = unsafe {
            let raw = match kind {
                Kind::Bits => {
                    Z3_mk_solver_for_logic(z3, Z3_mk_string_symbol(z3, c"QF_BV".as_ptr())?)
                }
                Kind::Incremental => Z3_mk_simple_solver(z3),
                Kind::OneShot => Z3_mk_solver(z3),
            }?;
            Z3_solver_inc_ref(z3, raw);
            raw
        };
        let mut check = Check { context: context.clone(), raw, limit: Duration::ZERO };
        check.set_number(c"random_seed", 0)?;
        // Signals are not for a library to catch: with this on, Ctrl-C ends one query and nothing else.
        check.set_flag(c"ctrl_c", false)?;
        check.limit(Duration::from_secs(10));
        Some(check)
    }

    fn set_number(&mut self, name: &CStr, value: u32) -> Option<()> {
        let z3 = self.context.raw();
        unsafe {
            let parameters = Z3_mk_params(z3)?;
            Z3_params_inc_ref(z3, parameters);
            Z3_params_set_uint(z3, parameters, Z3_mk_string_symbol(z3, name.as_ptr())?, value);
            Z3_solver_set_params(z3, self.raw, parameters);
            Z3_params_dec_ref(z3, parameters);
        }
        Some(())
    }

    fn set_flag(&mut self, name: &CStr, value: bool) -> Option<()> {
        let z3 = self.context.raw();
        unsafe {
            let parameters = Z3_mk_params(z3)?;
            Z3_params_inc_ref(z3, parameters);
            Z3_params_set_bool(z3, parameters, Z3_mk_string_symbol(z3, name.as_ptr())?, value);
            Z3_solver_set_params(z3, self.raw, parameters);
            Z3_params_dec_ref(z3, parameters);
        }
        Some(())
    }

    /// How much work a check may be. By the clock it may take longer, because that depends on the machine.
    pub fn limit(&mut self, limit: Duration) {
        if self.limit != limit {
            self.limit = limit;
            // The largest number means no limit at all.
            let bounded = |number: u128| number.clamp(1, u128::from(u32::MAX - 1)) as u32;
            let by_the_clock = (limit * SLACK).max(SHORTEST);
            let _ = self.set_number(c"timeout", bounded(by_the_clock.as_millis()));
            let steps = limit.as_micros() * u128::from(STEPS_IN_A_MICROSECOND);
            let _ = self.set_number(c"rlimit", bounded(steps));
        }
    }

    /// How much work all checks in this context have been.
    pub fn work(&self) -> Duration {
        let z3 = self.context.raw();
        let steps = unsafe {
            let Some(statistics) = Z3_solver_get_statistics(z3, self.raw) else {
                return Duration::ZERO;
            };
            Z3_stats_inc_ref(z3, statistics);
            let mut steps = 0;
            for index in (0..Z3_stats_size(z3, statistics)).rev() {
                if text(Z3_stats_get_key(z3, statistics, index)) == "rlimit count" {
                    steps = match Z3_stats_is_uint(z3, statistics, index) {
                        true => u64::from(Z3_stats_get_uint_value(z3, statistics, index)),
                        false => Z3_stats_get_double_value(z3, statistics, index) as u64,
                    };
                    break;
                }
            }
            Z3_stats_dec_ref(z3, statistics);
            steps
        };
        Duration::from_micros(steps / u64::from(STEPS_IN_A_MICROSECOND))
    }

    pub fn push(&self) {
        unsafe { Z3_solver_push(self.context.raw(), self.raw) }
    }

    pub fn pop(&self, levels: usize) {
        unsafe { Z3_solver_pop(self.context.raw(), self.raw, levels as c_uint) }
    }

    pub fn assert(&self, formula: &Ast) {
        unsafe { Z3_solver_assert(self.context.raw(), self.raw, formula.raw) }
    }

    pub fn check(&self, assumptions: &[Ast]) -> Verdict {
        let z3 = self.context.raw();
        let raws: Vec<Z3_ast> = assumptions.iter().map(|a| a.raw).collect();
        let count = raws.len() as c_uint;
        match unsafe { Z3_solver_check_assumptions(z3, self.raw, count, raws.as_ptr()) } {
            Z3_L_TRUE => Verdict::Sat,
            Z3_L_FALSE => Verdict::Unsat,
            _ => {
                let error = unsafe { Z3_get_error_code(z3) };
                Verdict::Unknown(match error {
                    ErrorCode::Ok => text(unsafe { Z3_solver_get_reason_unknown(z3, self.raw) }),
                    _ => self.context.error(),
                })
            }
        }
    }

    pub fn assignment(&self) -> Option<Assignment> {
        let z3 = self.context.raw();
        let raw = unsafe { Z3_solver_get_model(z3, self.raw) }?;
        unsafe { Z3_model_inc_ref(z3, raw) };
        Some(Assignment { context: self.context.clone(), raw })
    }

    pub fn core(&self) -> Vec<Ast> {
        let z3 = self.context.raw();
        unsafe {
            let Some(vector) = Z3_solver_get_unsat_core(z3, self.raw) else { return vec![] };
            Z3_ast_vector_inc_ref(z3, vector);
            let count = Z3_ast_vector_size(z3, vector);
            let core = (0..count)
                .filter_map(|i| self.context.ast(Z3_ast_vector_get(z3, vector, i)))
                .collect();
            Z3_ast_vector_dec_ref(z3, vector);
            core
        }
    }
}
