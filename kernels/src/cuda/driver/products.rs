//! Products with weights by cuBLASLt: `out = x W^T + b`, which in the library's column-major order is `out^T = (W^T)^T
//! x^T`. The algorithm is chosen once for each layer, for many rows and without splitting sums, and is used for any number
//! of rows, so that a row's result does not depend on the number of rows.

use std::ffi::c_void;
use std::sync::Arc;

use cudarc::cublaslt::result::CublasError;
use cudarc::cublaslt::{result, sys};
use cudarc::driver::{CudaContext, CudaStream, result as driver};

use super::super::dtype::Dtype;
use super::super::error::{CudaError, Result};
use super::nvidia::doing;
use super::{Operands, ProductShape};

/// The number of rows for which the algorithm is chosen.
const PLANNED_ROWS: usize = 16_384;

/// NVIDIA's recommendation for Hopper.
const WORKSPACE_BYTES: usize = 32 << 20;

/// `CUBLAS_OP_T`.
const TRANSPOSED: i32 = 1;

/// A cuBLASLt handle and its workspace.
pub(super) struct Products {
    handle: sys::cublasLtHandle_t,
    workspace: u64,
    context: Arc<CudaContext>,
}

// SAFETY: cuBLASLt's handle may be used on any thread; the workspace is used in stream order.
unsafe impl Send for Products {}
// SAFETY: as above.
unsafe impl Sync for Products {}

/// A layer's product with its chosen algorithm.
pub(in crate::cuda) struct Plan {
    shape: ProductShape,
    algorithm: sys::cublasLtMatmulAlgo_t,
}

fn doing_product<T>(what: &'static str, result: std::result::Result<T, CublasError>) -> Result<T> {
    result.map_err(|error| CudaError::Product { doing: what, error: error.to_string() })
}

impl Products {
    pub(super) fn new(context: &Arc<CudaContext>) -> Result<Self> {
        // SAFETY: only checks whether the library can be opened.
        if !unsafe { sys::is_culib_present() } {
            let remedy = "install CUDA 13's cuBLAS, or `pip install nvidia-cublas` and add its lib folder to LD_LIBRARY_PATH";
            return Err(CudaError::NoLibrary { library: "cuBLASLt (libcublasLt.so.13)", remedy });
        }
        let handle = doing_product("starting", result::create_handle())?;
        // SAFETY: the caller has bound the context to this thread.
        let workspace = doing("allocating memory", unsafe { driver::malloc_sync(WORKSPACE_BYTES) })?;
        Ok(Self { handle, workspace, context: Arc::clone(context) })
    }

    pub(super) fn version(&self) -> usize {
        // SAFETY: the library is loaded.
        unsafe { sys::cublasLtGetVersion() }
    }

    pub(super) fn plan(&self, shape: ProductShape) -> Result<Plan> {
        let description = Description::new(shape, 0)?;
        let layouts = Layouts::new(shape, PLANNED_ROWS)?;
        let preference = Preference::new(shape)?;
        // SAFETY: all descriptions are valid.
        let chosen = unsafe {
            result::get_matmul_algo_heuristic(
                self.handle,
                description.0,
                layouts.weight,
                layouts.x,
                layouts.out,
                layouts.out,
                preference.0,
            )
        };
        Ok(Plan { shape, algorithm: doing_product("choosing an algorithm", chosen)?.algo })
    }

    /// # Safety
    /// The addresses point to buffers of the plan's shape with `operands.rows` rows.
    pub(super) unsafe fn multiply(
        &self,
        plan: &Plan,
        operands: &Operands,
        stream: &CudaStream,
    ) -> Result<()> {
        let description = Description::new(plan.shape, operands.bias)?;
        let layouts = Layouts::new(plan.shape, operands.rows)?;
        let (one, zero) = (1f32, 0f32);
        let scalar = |x: &f32| std::ptr::from_ref(x).cast::<c_void>();
        // SAFETY: the descriptions are valid, the factors are f32 as described, and the caller guarantees the addresses.
        let queued = unsafe {
            result::matmul(
                self.handle,
                description.0,
                scalar(&one),
                scalar(&zero),
                operands.weight as *const c_void,
                layouts.weight,
                operands.x as *const c_void,
                layouts.x,
                operands.out as *const c_void,
                layouts.out,
                operands.out as *mut c_void,
                layouts.out,
                &raw const plan.algorithm,
                self.workspace as *mut c_void,
                WORKSPACE_BYTES,
                stream.cu_stream().cast(),
            )
        };
        doing_product("multiplying", queued)
    }
}

impl Drop for Products {
    fn drop(&mut self) {
        if self.context.bind_to_thread().is_ok() {
            // SAFETY: created by `new`, destroyed only here.
            unsafe {
                let _ = result::destroy_handle(self.handle);
                let _ = driver::free_sync(self.workspace);
            }
        }
    }
}

/// The operation: weights transposed, sums in f32, bias added before rounding.
struct Description(sys::cublasLtMatmulDesc_t);

impl Description {
    fn new(shape: ProductShape, bias: u64) -> Result<Self> {
        use sys::cublasLtMatmulDescAttributes_t as Attribute;
        let (sums, scale) = (sys::cublasComputeType_t::CUBLAS_COMPUTE_32F, sys::cudaDataType_t::CUDA_R_32F);
        let this = Self(doing_product("describing a product", result::create_matmul_desc(sums, scale))?);
        this.set(Attribute::CUBLASLT_MATMUL_DESC_TRANSA, &TRANSPOSED)?;
        if shape.has_bias {
            let epilogue = sys::cublasLtEpilogue_t::CUBLASLT_EPILOGUE_BIAS;
            this.set(Attribute::CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue)?;
            this.set(Attribute::CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &cuda_dtype(shape.dtype))?;
            this.set(Attribute::CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias)?;
        }
        Ok(this)
    }

    fn set<T>(&self, attribute: sys::cublasLtMatmulDescAttributes_t, value: &T) -> Result<()> {
        // SAFETY: the description is valid, and the value has the attribute's type.
        let set = unsafe {
            result::set_matmul_desc_attribute(
                self.0,
                attribute,
                std::ptr::from_ref(value).cast(),
                size_of::<T>(),
            )
        };
        doing_product("describing a product", set)
    }
}

impl Drop for Description {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed only here.
        let _ = unsafe { result::destroy_matmul_desc(self.0) };
    }
}

/// The memory layouts of the operands, as column-major transposes.
struct Layouts {
    weight: sys::cublasLtMatrixLayout_t,
    x: sys::cublasLtMatrixLayout_t,
    out: sys::cublasLtMatrixLayout_t,
}

impl Layouts {
    fn new(shape: ProductShape, rows: usize) -> Result<Self> {
        let layout = |dtype: sys::cudaDataType_t, columns: usize, rows: usize| {
            let made = result::create_matrix_layout(dtype, columns as u64, rows as u64, columns as i64);
            doing_product("describing a matrix", made)
        };
        let dtype = cuda_dtype(shape.dtype);
        let out = if shape.is_wide { sys::cudaDataType_t::CUDA_R_32F } else { dtype };
        Ok(Self {
            weight: layout(dtype, shape.inputs, shape.outputs)?,
            x: layout(dtype, shape.inputs, rows)?,
            out: layout(out, shape.outputs, rows)?,
        })
    }
}

impl Drop for Layouts {
    fn drop(&mut self) {
        for layout in [self.weight, self.x, self.out] {
            // SAFETY: created by `new`, destroyed only here.
            let _ = unsafe { result::destroy_matrix_layout(layout) };
        }
    }
}

/// Constraints on the algorithm: the workspace's size, no split sums, and outputs that start at any row of a matrix.
struct Preference(sys::cublasLtMatmulPreference_t);

impl Preference {
    fn new(shape: ProductShape) -> Result<Self> {
        use sys::cublasLtMatmulPreferenceAttributes_t as Attribute;
        let this = Self(doing_product("choosing an algorithm", result::create_matmul_pref())?);
        this.set(Attribute::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &WORKSPACE_BYTES)?;
        let no_split = sys::cublasLtReductionScheme_t::CUBLASLT_REDUCTION_SCHEME_NONE as u32;
        this.set(Attribute::CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &no_split)?;
        // The key-value cache appends rows; matrices themselves start at multiples of 256 bytes.
        let row_bytes = shape.outputs * if shape.is_wide { 4 } else { 2 };
        let alignment: u32 = 1 << row_bytes.trailing_zeros().min(8);
        this.set(Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &alignment)?;
        this.set(Attribute::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &alignment)?;
        Ok(this)
    }

    fn set<T>(&self, attribute: sys::cublasLtMatmulPreferenceAttributes_t, value: &T) -> Result<()> {
        // SAFETY: the preference is valid, and the value has the attribute's type.
        let set = unsafe {
            result::set_matmul_pref_attribute(
                self.0,
                attribute,
                std::ptr::from_ref(value).cast(),
                size_of::<T>(),
            )
        };
        doing_product("choosing an algorithm", set)
    }
}

impl Drop for Preference {
    fn drop(&mut self) {
        // SAFETY: created by `new`, destroyed only here.
        let _ = unsafe { result::destroy_matmul_pref(self.0) };
    }
}

fn cuda_dtype(dtype: Dtype) -> sys::cudaDataType_t {
    match dtype {
        Dtype::F16 => sys::cudaDataType_t::CUDA_R_16F,
        Dtype::Bf16 => sys::cudaDataType_t::CUDA_R_16BF,
    }
}
